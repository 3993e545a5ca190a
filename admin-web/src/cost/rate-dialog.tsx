import { RATE_TEXT } from '@shop/shared/cost/currency.ts'
import { getCosts, type RateView, saveRate } from '@shop/shared/cost/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { latinDigits } from '@shop/shared/typed-text.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { isSentOn } from '../ui/sent-on.ts'

const read = (text: string | undefined) => latinDigits((text ?? '').trim())

/** Sets what a unit of a currency costs, in baht. */
export function RateDialog({ rate, onClose }: { rate: RateView; onClose: () => void }) {
  const { currency, baht: seen } = rate
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const save = useMutation({
    mutationFn: ({ baht }: { baht: string }) => client.call(saveRate, { body: { currency, baht: read(baht), seen } }),
    onSuccess: () => {
      message.success(`บันทึกอัตรา ${currency} แล้ว ต้นทุนปรับในรอบดึงถัดไป`)
      onClose()
    },
    onError: error => isSentOn(error) && onClose(),
    onSettled: () => queries.invalidateQueries({ queryKey: [getCosts.path] }),
  })
  return (
    <FormDialog<{ baht: string }>
      title={`อัตราแลกเปลี่ยน ${currency}`}
      okText="บันทึก"
      isBusy={save.isPending}
      failure={save.error && messageOf(save.error)}
      initialValues={{ baht: seen ?? '' }}
      onSubmit={values => save.mutate(values)}
      onClose={onClose}
    >
      <Form.Item
        name="baht"
        label={`1 ${currency} เท่ากับกี่บาท`}
        extra="ใช้อัตราที่จ่ายจริง รวมค่าธรรมเนียมแล้ว อัตราที่ต่ำกว่าเดิมต้องมีผู้จัดการอีกคนยืนยัน"
        rules={[
          {
            validator: async (_, text?: string) => {
              if (!RATE_TEXT.test(read(text))) throw new Error('กรุณากรอกจำนวนบาทต่อหนึ่งหน่วย เช่น 34.62')
            },
          },
        ]}
      >
        <Input suffix="บาท" inputMode="decimal" autoComplete="off" autoFocus maxLength={14} />
      </Form.Item>
    </FormDialog>
  )
}
