import { messageOf } from '@shop/shared/errors.ts'
import { replaceVoucher, type VoucherView } from '@shop/shared/voucher/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input } from 'antd'
import type { Rule } from 'antd/es/form'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { required } from '../ui/form-errors.ts'
import { SlipUpload, slipIsSent } from '../upload/slip-upload.tsx'

interface Replacement {
  reason: string
  evidenceSlipId?: string | null
  complaint?: string
}

/** One of the two is enough. */
const eitherIsGiven: Rule = ({ getFieldValue }) => ({
  validator: async () => {
    if (!getFieldValue('evidenceSlipId') && !(getFieldValue('complaint') as string | undefined)?.trim())
      throw new Error('กรุณาแนบภาพหลักฐาน หรือใส่เลขที่เรื่องที่แจ้งผู้จำหน่าย')
  },
})

/** Replaces a bad code of an order; one that may have been used takes evidence and a second person. */
export function ReplaceDialog({ orderNo, bad, onClose }: { orderNo: string; bad: VoucherView; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const { takesEvidence } = bad
  const replace = useMutation({
    mutationFn: ({ reason, evidenceSlipId, complaint }: Replacement) => {
      const evidence = { evidenceSlipId: evidenceSlipId || undefined, complaint: complaint?.trim() || undefined }
      return client.call(replaceVoucher, { body: { orderNo, id: bad.id, reason: reason.trim(), ...evidence } })
    },
    onSuccess: ({ lastFour }) => {
      message.success(`ส่งรหัสใหม่ลงท้าย ${lastFour} ให้ลูกค้าแล้ว`)
      onClose()
      return queries.invalidateQueries()
    },
  })
  return (
    <FormDialog<Replacement>
      title={`เปลี่ยนรหัสลงท้าย ${bad.lastFour}`}
      okText={takesEvidence ? 'ส่งให้คนที่สองยืนยัน' : 'เปลี่ยนรหัส'}
      isDanger
      isBusy={replace.isPending}
      failureTitle="เปลี่ยนรหัสไม่สำเร็จ"
      failure={replace.error && messageOf(replace.error)}
      onSubmit={replace.mutate}
      onClose={onClose}
    >
      <div style={{ marginBottom: 16 }}>
        <p>ลูกค้าจะได้รหัสใหม่ของแพ็กเกจเดียวกันโดยไม่จ่ายเพิ่ม และดูรหัสเดิมไม่ได้อีก ยอดนี้นับรวมวงเงินต่อวันของคุณ และแจ้งผู้จัดการทุกครั้ง</p>
        {takesEvidence && <p>รหัสนี้มีคนดูแล้วหรือเคยเปลี่ยนมาแล้ว จึงต้องมีหลักฐาน และให้คนที่สองยืนยันก่อน</p>}
      </div>
      <Form.Item name="reason" label="รหัสเดิมใช้ไม่ได้เพราะอะไร" rules={[required('กรุณาระบุเหตุผล')]}>
        <Input.TextArea autoFocus rows={2} maxLength={300} showCount />
      </Form.Item>
      {takesEvidence && (
        <>
          <Form.Item
            name="evidenceSlipId"
            label="ภาพที่เกมหรือร้านปฏิเสธรหัส"
            extra="ใช้ได้กับรหัสนี้รหัสเดียว และเห็นเฉพาะทีมงาน"
            rules={[slipIsSent]}
          >
            <SlipUpload noun="ภาพหลักฐาน" />
          </Form.Item>
          <Form.Item
            name="complaint"
            label="หรือเลขที่เรื่องที่แจ้งผู้จำหน่าย"
            dependencies={['evidenceSlipId']}
            rules={[eitherIsGiven]}
          >
            <Input maxLength={80} autoComplete="off" />
          </Form.Item>
        </>
      )}
    </FormDialog>
  )
}
