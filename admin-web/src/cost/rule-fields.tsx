import { ROUNDING, ROUNDINGS, type RuleTarget } from '@shop/shared/catalogue/price-rule.ts'
import { Form, type FormInstance, Input, Select, Switch } from 'antd'
import { MOST_PERCENT, ruleTextProblem } from './rule-draft.ts'

const roundingOptions = ROUNDINGS.map(value => ({ value, label: ROUNDING[value].label }))

/** What is typed into a rule that is off does not matter. */
const textRule =
  (target: RuleTarget, most?: number) =>
  ({ getFieldValue }: Pick<FormInstance, 'getFieldValue'>) => ({
    validator: async (_: unknown, text: string | undefined) => {
      const problem = getFieldValue([target, 'isOn']) ? ruleTextProblem(text ?? '', most) : null
      if (problem) throw new Error(problem)
    },
  })

/** The fields of one rule; they stay, faded, while the rule is off. */
export function RuleFields({ target, label }: { target: RuleTarget; label: string }) {
  const isOn: boolean = Form.useWatch([target, 'isOn']) ?? false
  const amount = (name: string, text: string, suffix: string, most?: number) => (
    <Form.Item name={[target, name]} label={text} rules={[textRule(target, most)]}>
      <Input
        aria-label={`${text} ${label}`}
        suffix={suffix}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        disabled={!isOn}
      />
    </Form.Item>
  )
  return (
    <fieldset className="card-part price-rule" aria-label={label}>
      <Form.Item name={[target, 'isOn']} valuePropName="checked" label={label}>
        <Switch aria-label={`ใช้กฎกับ${label}`} checkedChildren="ใช้กฎ" unCheckedChildren="ไม่ใช้" />
      </Form.Item>
      {amount('percent', 'บวกจากต้นทุน', '%', MOST_PERCENT)}
      {amount('fixed', 'บวกคงที่', 'บาท')}
      {amount('least', 'กำไรขั้นต่ำ', 'บาท')}
      <Form.Item name={[target, 'rounding']} label="ปัดขึ้นให้">
        <Select aria-label={`ปัดราคา ${label}`} options={roundingOptions} disabled={!isOn} />
      </Form.Item>
    </fieldset>
  )
}
