import { Button, Form, Input } from 'antd'
import { required } from './form-errors.ts'

/** Asks why, in a form: one press takes a usual reason, and the box shows how much fits into it. */
export function ReasonField(props: {
  label?: string
  usual?: readonly string[]
  isOptional?: boolean
  hasFocus?: boolean
}) {
  const { label = 'เหตุผล', usual = [], isOptional = false, hasFocus = true } = props
  const form = Form.useFormInstance<{ reason?: string }>()
  const take = (reason: string) => {
    form.setFieldsValue({ reason })
    void form.validateFields(['reason'])
  }
  return (
    <>
      {usual.length > 0 && (
        <fieldset className="reason-chips" aria-label="เหตุผลที่ใช้บ่อย">
          {usual.map(reason => (
            <Button key={reason} size="small" onClick={() => take(reason)}>
              {reason}
            </Button>
          ))}
        </fieldset>
      )}
      <Form.Item
        name="reason"
        label={isOptional ? `${label} (ไม่บังคับ)` : label}
        rules={isOptional ? [] : [required('กรุณาระบุเหตุผล')]}
      >
        <Input.TextArea autoFocus={hasFocus} rows={3} maxLength={500} showCount />
      </Form.Item>
    </>
  )
}
