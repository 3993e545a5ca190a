import { messageOf } from '@shop/shared/errors.ts'
import { endAgentKey, getAgentApi, listAgentApis, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'

/** Ends a key of an agent, who is told the reason. */
export function EndKeyDialog(props: { uid: string; of: ResellerKeyView; onClose: () => void }) {
  const { uid, of, onClose } = props
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const end = useMutation({
    mutationFn: (reason: string) => client.call(endAgentKey, { params: { uid, id: of.id }, body: { reason } }),
    onSuccess: () => {
      message.success(`ยกเลิกคีย์ ${of.name} แล้ว`)
      onClose()
    },
    onSettled: () =>
      Promise.all([getAgentApi, listAgentApis].map(({ path }) => queries.invalidateQueries({ queryKey: [path] }))),
  })
  return (
    <ReasonDialog
      title={`ยกเลิกคีย์ ${of.name}?`}
      okText="ยกเลิกคีย์"
      isDanger
      label="เหตุผล"
      hint="ตัวแทนจะเห็นเหตุผลนี้"
      isBusy={end.isPending}
      failure={end.error && messageOf(end.error)}
      onSubmit={end.mutate}
      onClose={onClose}
    >
      <p className="form-alert">
        เครื่องที่ใช้คีย์นี้จะหยุดสั่งซื้อทันที และคีย์นี้กลับมาใช้อีกไม่ได้ ตัวแทนต้องสร้างคีย์ใหม่เอง คำสั่งซื้อที่สั่งไว้แล้วยังทำต่อ
      </p>
    </ReasonDialog>
  )
}
