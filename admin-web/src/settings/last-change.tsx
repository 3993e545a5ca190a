import { formatDateTimeSeconds } from '@shop/web/dates.ts'

interface Change {
  updatedByName: string | null
  updatedAt: string | null
}

/** Who changed a thing last, and when. */
export function LastChange({ change: { updatedByName, updatedAt } }: { change: Change }) {
  return (
    <span className="note muted">
      {updatedAt ? `แก้ไขล่าสุดโดย ${updatedByName ?? 'ระบบ'} · ${formatDateTimeSeconds(updatedAt)}` : 'ยังไม่มีผู้แก้ไข'}
    </span>
  )
}
