import { listAgents, listTiers, saveTier, type Tier } from '@shop/shared/agent/endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Switch } from 'antd'
import { useMe } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { amountRule, readAmount } from '../ui/baht-rules.ts'
import { bahtText } from '../ui/baht-text.ts'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { useFormSave } from '../ui/use-save.ts'

interface Values {
  name: string
  description?: string
  maxAmount: string
  minTopUp: string
  maxAmountPerOrder: string
  maxItemPerOrder: string
  isActived: boolean
}

/** Only admins may change limits. */
const amounts = [
  ['maxAmount', 'ยอดสูงสุดในกระเป๋าเงิน', true],
  ['minTopUp', 'ยอดเติมเงินขั้นต่ำ', false],
  ['maxAmountPerOrder', 'ยอดสูงสุดต่อคำสั่งซื้อ', true],
] as const

const valuesOf = (tier: Tier): Values => ({
  name: tier.name,
  description: tier.description,
  maxAmount: bahtText(tier.maxAmountSatang),
  minTopUp: bahtText(tier.minTopUpSatang),
  maxAmountPerOrder: bahtText(tier.maxAmountPerOrderSatang),
  maxItemPerOrder: String(tier.maxItemPerOrder),
  isActived: tier.isActived,
})

const bodyOf = (values: Values, id: number | undefined) => ({
  id,
  name: values.name,
  description: values.description ?? '',
  maxAmountSatang: readAmount(values.maxAmount),
  minTopUpSatang: readAmount(values.minTopUp),
  maxAmountPerOrderSatang: readAmount(values.maxAmountPerOrder),
  maxItemPerOrder: Number(values.maxItemPerOrder),
  isActived: values.isActived,
})

/** Adds or edits a tier; its new limits take effect at once. */
export function TierDrawer({ tier, onClose }: { tier: Tier | null; onClose: () => void }) {
  const queries = useQueryClient()
  const { save: send, tellSaved } = useUndoable()
  const [form] = Form.useForm<Values>()
  const maySetLimits = can(useMe().role, 'value.guard')
  const { save, isSaving, failure } = useFormSave<Values, Tier>({
    form,
    record: tier,
    valuesOf,
    send: values => send(saveTier, { body: bodyOf(values, tier?.id) }),
    onSaved: ({ name }) => {
      tellSaved(`บันทึก ${name} สำเร็จ`, { isNew: !tier })
      onClose()
      for (const { path } of [listAgents, listTiers]) void queries.invalidateQueries({ queryKey: [path] })
    },
  })
  return (
    <FormDrawer
      title={tier ? `แก้ไข Tier ${tier.name}` : 'เพิ่ม Tier'}
      width={460}
      isSaving={isSaving}
      failure={failure}
      onSave={form.submit}
      onClose={onClose}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={tier ? valuesOf(tier) : { isActived: true }}
        onFinish={save}
      >
        <Form.Item name="name" label="ชื่อ" rules={[{ required: true, whitespace: true, message: 'กรุณากรอกชื่อ' }]}>
          <Input autoFocus maxLength={100} autoComplete="off" />
        </Form.Item>
        <Form.Item name="description" label="คำอธิบาย (ไม่บังคับ)">
          <Input.TextArea rows={2} maxLength={500} />
        </Form.Item>
        {!maySetLimits && <p className="note muted form-alert">วงเงินของ Tier ตั้งได้เฉพาะผู้ดูแลระบบ</p>}
        {amounts.map(([name, label, isLimit]) => (
          <Form.Item key={name} name={name} label={label} rules={[amountRule(`กรุณากรอก${label} ตั้งแต่ 0 บาทขึ้นไป`)]}>
            <Input
              inputMode="decimal"
              suffix="บาท"
              maxLength={16}
              autoComplete="off"
              disabled={isLimit && !maySetLimits}
            />
          </Form.Item>
        ))}
        <Form.Item
          name="maxItemPerOrder"
          label="จำนวนชิ้นสูงสุดต่อคำสั่งซื้อ"
          rules={[{ required: true, pattern: /^(\d{1,3}|1000)$/, message: 'กรุณากรอกจำนวนชิ้น 0–1000' }]}
        >
          <Input inputMode="numeric" suffix="ชิ้น" maxLength={4} autoComplete="off" disabled={!maySetLimits} />
        </Form.Item>
        <Form.Item name="isActived" label="ใช้งาน" valuePropName="checked" style={{ marginBottom: 0 }}>
          <Switch />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </FormDrawer>
  )
}
