import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { getStatementLine, type LineDetails } from '@shop/shared/statement/endpoints.ts'
import { settleDisputedLine } from '@shop/shared/statement/take-back-endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { useReloadLines } from './use-reload-lines.ts'

/** Says that a line could not be taken back with its key; somebody who may make keys says what became of it. */
export function DisputeNote({ details: { line, undoBarrier } }: { details: LineDetails }) {
  const me = useMe()
  const client = useClient()
  const queries = useQueryClient()
  const reloadLines = useReloadLines()
  const { message } = App.useApp()
  const [isAsking, setIsAsking] = useState(false)
  const settle = useMutation({
    mutationFn: (reason: string) => client.call(settleDisputedLine, { params: { id: line.id }, body: { reason } }),
    onSuccess: async () => {
      message.success('ปิดเรื่องแล้ว')
      setIsAsking(false)
      await queries.invalidateQueries({ queryKey: [getStatementLine.path] })
      await reloadLines()
    },
  })
  const ask = () => {
    settle.reset()
    setIsAsking(true)
  }
  return (
    <>
      <Alert
        type="error"
        showIcon
        title="คีย์ที่ส่งรายการนี้ถูกเพิกถอน แต่รายการนี้เพิกถอนไม่ได้"
        description={`${undoBarrier ?? 'ดูเหตุผลในประวัติด้านล่าง'} กรุณาตรวจกับธนาคารว่าเงินเข้าจริงหรือไม่`}
        action={can(me.role, settleDisputedLine.allow) && <Button onClick={ask}>ปิดเรื่อง…</Button>}
      />
      {isAsking && (
        <ReasonDialog
          title="ปิดเรื่องรายการนี้?"
          okText="ปิดเรื่อง"
          cancelText="กลับ"
          label="ตรวจแล้วเป็นอย่างไร ทำอะไรไป"
          isBusy={settle.isPending}
          failure={settle.error && messageOf(settle.error)}
          onSubmit={settle.mutate}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
