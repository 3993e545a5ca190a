import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { bankOfPayee } from '@shop/shared/order/payee.ts'
import { listOwedRefunds, type OwedRefund, setRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input, Select } from 'antd'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { required } from '../ui/form-errors.ts'

const PROMPT_PAY = 'promptPay'
const PLACES = [
  { value: PROMPT_PAY, label: bankOfPayee({ bankCode: null }) },
  ...BANKS.map(({ code, niceName }) => ({ value: code, label: niceName })),
]

interface Values {
  place: string
  accountNo: string
  accountName: string
  reason?: string
}

/** Writes down where owed money is to be sent, as its owner told staff by telephone or chat. */
export function PayeeDialog({ refund, onClose }: { refund: OwedRefund; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const { payee, payeeVersion } = refund
  const reload = () => queries.invalidateQueries({ queryKey: [listOwedRefunds.path] })
  const save = useMutation({
    mutationFn: ({ place, reason, ...account }: Values) => {
      const bankCode = place === PROMPT_PAY ? null : place
      const body = { bankCode, ...account, ...(reason?.trim() && { reason }), payeeVersion }
      return client.call(setRefundPayee, { params: { id: refund.id }, body })
    },
    onSuccess: async () => {
      message.success('บันทึกบัญชีรับเงินแล้ว')
      onClose()
      await reload()
    },
    // The buyer may have named another account meanwhile, so the list behind the dialog is read again.
    onError: reload,
  })
  const place = payee && (payee.bankCode ?? PROMPT_PAY)
  return (
    <FormDialog<Values>
      title="บัญชีรับเงินคืน"
      okText="บันทึกบัญชี"
      isBusy={save.isPending}
      failure={save.error && messageOf(save.error)}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">กรอกตามที่ลูกค้าแจ้ง ลูกค้าและทีมงานเห็นว่าใครเป็นผู้บันทึก</p>
      <Form.Item name="place" label="รับเงินทาง" initialValue={place} rules={[required('กรุณาเลือกธนาคารหรือพร้อมเพย์')]}>
        <Select showSearch={{ optionFilterProp: 'label' }} options={PLACES} placeholder="ธนาคารหรือพร้อมเพย์" />
      </Form.Item>
      <Form.Item
        name="accountNo"
        label="เลขที่บัญชีหรือหมายเลขพร้อมเพย์"
        initialValue={payee?.accountNo}
        rules={[required('กรุณากรอกเลขที่บัญชี')]}
      >
        <Input maxLength={30} inputMode="numeric" autoComplete="off" />
      </Form.Item>
      <Form.Item name="accountName" label="ชื่อบัญชี" initialValue={payee?.accountName} rules={[required('กรุณากรอกชื่อบัญชี')]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="reason" label="เหตุผลของลูกค้า" extra="ต้องกรอกเมื่อไม่ใช่บัญชีที่โอนมา" style={{ marginBottom: 0 }}>
        <Input maxLength={200} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}
