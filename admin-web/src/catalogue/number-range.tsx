import { Form, InputNumber } from 'antd'

type FieldName = string | (string | number)[]

/** Two whole numbers of a form, the second at least as large as the first. */
export function NumberRange(props: {
  names: readonly [from: FieldName, to: FieldName]
  labels: readonly [from: string, to: string]
  max: number
  missing: string
  /** What is said when the second is smaller than the first. */
  wrongOrder: string
  /** What is counted, after the numbers. */
  unit?: string
  disabled?: boolean
}) {
  const { names, labels, max, missing, wrongOrder, unit, disabled = false } = props
  const [from, to] = names
  const required = { required: !disabled, message: missing }
  const inputOf = (label: string) => (
    <InputNumber aria-label={label} min={1} max={max} precision={0} controls={false} disabled={disabled} />
  )
  return (
    <div className="row is-top">
      <Form.Item name={from} rules={[required]}>
        {inputOf(labels[0])}
      </Form.Item>
      <span className="between">ถึง</span>
      <Form.Item
        name={to}
        dependencies={[from]}
        rules={[
          required,
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (!disabled && value !== null && value < getFieldValue(from)) throw new Error(wrongOrder)
            },
          }),
        ]}
      >
        {inputOf(labels[1])}
      </Form.Item>
      {unit && <span className="between muted">{unit}</span>}
    </div>
  )
}
