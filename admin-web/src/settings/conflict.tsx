import { AppError } from '@shop/shared/errors.ts'
import { Button } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'

/** What is there now, when a save came too late; null for every other outcome. */
export function currentOf<T>(error: unknown): T | null {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return null
  return (error.details?.current as T | undefined) ?? null
}

export interface Difference {
  label: string
  theirs: ReactNode
  mine: ReactNode
}

/** Somebody else saved first: both versions side by side, and the choice between them. */
export function Conflict(props: {
  /** Who saved first, where that is known. */
  byName?: string | null
  differences: readonly Difference[]
  isSaving: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
}) {
  const { byName, differences, isSaving, onTakeTheirs, onKeepMine } = props
  const box = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone or no longer the one to press.
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className="conflict" role="alert" tabIndex={-1}>
      <p>
        <span className="strong">{byName ? `${byName} แก้ไขไปก่อนแล้ว` : 'มีผู้อื่นแก้ไขไปก่อนแล้ว'}</span> เลือกค่าที่จะใช้
        ยังไม่มีอะไรถูกบันทึกทับ
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">รายการ</th>
            <th scope="col">ค่าล่าสุด</th>
            <th scope="col">ค่าของคุณ</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ label, theirs, mine }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <div>{theirs}</div>
              </td>
              <td>
                <div>{mine}</div>
              </td>
            </tr>
          ))}
          {differences.length === 0 && (
            <tr>
              <td colSpan={3}>ทั้งสองค่าเหมือนกัน</td>
            </tr>
          )}
        </tbody>
      </table>
      <div className="row">
        <Button disabled={isSaving} onClick={onTakeTheirs}>
          ใช้ค่าล่าสุด
        </Button>
        <Button type="primary" loading={isSaving} onClick={onKeepMine}>
          บันทึกค่าของฉันทับ
        </Button>
      </div>
    </div>
  )
}
