import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { getStatementLine, type LineDetails, trustStatementLine } from '@shop/shared/statement/endpoints.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { useReloadLines } from './use-reload-lines.ts'

/** Says why the shop does not match a line by itself; staff may say that its balance is the bank's all the same. */
export function GapNote({ details: { line }, note }: { details: LineDetails; note: string }) {
  const { role } = useMe()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Alert
        type="warning"
        showIcon
        style={{ margin: '0 16px' }}
        title="ยอดคงเหลือไม่ต่อกัน ระบบไม่จับคู่รายการนี้เอง"
        description={`${note} หากมีรายการขาดไประหว่างนั้น ให้นำเข้าไฟล์ของช่วงนั้น ระบบจะตรวจใหม่เอง`}
        action={can(role, trustStatementLine.allow) && <Button onClick={() => setIsAsking(true)}>ยืนยันยอดนี้…</Button>}
      />
      {isAsking && <TrustDialog line={line} note={note} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function TrustDialog({ line, note, onClose }: Pick<LineDetails, 'line'> & { note: string; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const reloadLines = useReloadLines()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  const params = { id: line.id }
  const trust = useMutation({
    mutationFn: (reason: string) => {
      const body = { version: line.version, reason }
      return client.call(trustStatementLine, { params, body, idempotencyKey: keys.getKey({ params, body }) })
    },
    onSuccess: async saved => {
      message.success('ยืนยันยอดแล้ว')
      onClose()
      queries.setQueryData(client.query(getStatementLine, { params }).queryKey, saved)
      await reloadLines()
    },
  })
  return (
    <ReasonDialog
      title="ยืนยันยอดคงเหลือของรายการนี้?"
      okText="ยืนยันยอดนี้"
      label="ตรวจกับอะไร"
      isBusy={trust.isPending}
      failure={trust.error && messageOf(trust.error)}
      onSubmit={trust.mutate}
      onClose={onClose}
    >
      <p className="form-alert">{note}</p>
      <p className="muted form-alert">ตรวจยอดกับแอปหรือสมุดบัญชีของธนาคารก่อน รายการนี้และรายการที่ต่อจากนี้จะถูกจับคู่ตามปกติ</p>
    </ReasonDialog>
  )
}
