import { messageOf } from '@shop/shared/errors.ts'
import { refuseSecondWord, type SecondWord } from '@shop/shared/value/endpoints.ts'
import { labelOfMove } from '@shop/shared/value/value.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'

/** Asks why somebody refuses what another person asked for, or takes back what they asked for themselves. */
export function RefuseDialog({ word, onClose }: { word: SecondWord; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const done = word.isOwn ? 'ยกเลิกคำขอ' : 'ไม่ยืนยัน'
  const refuse = useMutation({
    mutationFn: (reason: string) => client.call(refuseSecondWord, { params: { id: word.id }, body: { reason } }),
    onSuccess: () => {
      message.success(word.isOwn ? 'ยกเลิกคำขอแล้ว' : 'บันทึกว่าไม่ยืนยันแล้ว')
      onClose()
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <ReasonDialog
      title={`${done} ${labelOfMove(word.kind)}`}
      okText={done}
      isDanger
      label="เหตุผล"
      maxLength={200}
      isBusy={refuse.isPending}
      failure={refuse.error && messageOf(refuse.error)}
      onSubmit={refuse.mutate}
      onClose={onClose}
    >
      <p className="muted breakable form-alert">
        {word.askedByName ?? word.askedBy}: {word.note}
      </p>
    </ReasonDialog>
  )
}
