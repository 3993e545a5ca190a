import { AUDIT_ACTION, type AuditAction } from '@shop/shared/audit/action.ts'
import { type AuditEntry, undoChange } from '@shop/shared/audit/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useClient } from '../account/session.tsx'
import { listChanges } from './changes.ts'

/** Takes one change back, after saying what that would be. */
export function UndoButton({ entry }: { entry: AuditEntry }) {
  const client = useClient()
  const queries = useQueryClient()
  const { modal, message } = App.useApp()
  const what = `${AUDIT_ACTION[entry.action as AuditAction] ?? entry.action} ${entry.subject}`
  const undo = async () => {
    try {
      await client.call(undoChange, { body: { auditId: entry.id } })
      message.success(`ย้อนกลับ ${what} สำเร็จ`)
    } catch (error) {
      message.error(messageOf(error), 6)
    }
    // Anything may show what was taken back.
    await queries.invalidateQueries()
  }
  const ask = () =>
    modal.confirm({
      title: `ย้อนกลับ ${what}?`,
      content: <Undone entry={entry} />,
      width: 560,
      okText: 'ย้อนกลับ',
      cancelText: 'ไม่ย้อน',
      onOk: undo,
    })
  return (
    <Button type="link" size="small" aria-label={`ย้อนกลับ ${what}`} onClick={ask}>
      ย้อนกลับ
    </Button>
  )
}

/** What would be there again. */
function Undone({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <p>การแก้ไขของ {formatDateTimeSeconds(entry.at)} จะถูกย้อนกลับ</p>
      {entry.before === null ? (
        <p>รายการที่เพิ่มไว้จะถูกปิดใช้งาน</p>
      ) : (
        <ul className="changes">
          {listChanges(entry.after, entry.before).map(({ field, label, before, after }) => (
            <li key={field} className="breakable">
              <span className="muted">{label}:</span> <del>{before ?? '–'}</del> → <ins>{after ?? '–'}</ins>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
