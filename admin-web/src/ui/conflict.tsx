import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Form, type FormInstance } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import './conflict.css'

/** One thing that both people edited, as each of them has it. */
export interface Difference {
  label: string
  theirs: ReactNode
  mine: ReactNode
  /** What it was when this person opened it, where that is known; then it is said who changed it. */
  was?: ReactNode
}

/** Says which of the two changed something; a picture can't be compared, so nothing is said of it. */
function changedBy({ theirs, mine, was }: Difference): string | null {
  if (was === undefined || typeof theirs === 'object' || typeof mine === 'object') return null
  if (mine === was) return 'อีกคนแก้'
  return theirs === was ? 'คุณแก้' : 'แก้ทั้งสองคน'
}

/** Who saved first, and when; null where that is not known. */
export interface SavedBy {
  updatedByName: string | null
  updatedAt: string | null
}

/** Shows both versions side by side when somebody else saved first, and lets the person choose one. */
export function Conflict(props: {
  by?: SavedBy | null
  /** Differences that look the same on both sides are left out. */
  differences: readonly Difference[]
  isSaving: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
}) {
  const { by, differences, isSaving, onTakeTheirs, onKeepMine } = props
  const differing = differences.filter(({ theirs, mine }) => theirs !== mine)
  const box = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone, or no longer the one to press.
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className="conflict" role="alert" tabIndex={-1}>
      <p>
        <span className="strong">{by?.updatedByName ? `${by.updatedByName} แก้ไขไปก่อนแล้ว` : 'มีผู้อื่นแก้ไขไปก่อนแล้ว'}</span>
        {by?.updatedAt && ` เมื่อ ${formatDateTimeSeconds(by.updatedAt)}`} เลือกค่าที่จะใช้ ยังไม่มีอะไรถูกบันทึกทับ
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
          {differing.map(each => (
            <tr key={each.label}>
              <th scope="row">
                {each.label}
                {changedBy(each) && <div className="note muted">{changedBy(each)}</div>}
              </th>
              <td>
                <div>{each.theirs || '–'}</div>
              </td>
              <td>
                <div>{each.mine || '–'}</div>
              </td>
            </tr>
          ))}
          {differing.length === 0 && (
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

/** The same for a form; its side shows what is being typed. */
export function FormConflict<Values extends object, Saved extends SavedBy>(props: {
  form: FormInstance<Values>
  edit: {
    base: Saved | null
    theirs: Saved | null
    isSaving: boolean
    takeTheirs: (theirs: Saved) => void
    keepMine: (theirs: Saved) => void
  }
  compare: (mine: Values, theirs: Saved) => Difference[]
}) {
  const { form, edit, compare } = props
  const { base, theirs, isSaving } = edit
  const mine = Form.useWatch((values: Values) => values, form) as Values | undefined
  if (!theirs || !mine) return null
  const was = base && compare(mine, base)
  const differences = compare(mine, theirs).map((each, index) => ({ ...each, was: was?.[index]?.theirs }))
  return (
    <Conflict
      by={theirs}
      differences={differences}
      isSaving={isSaving}
      onTakeTheirs={() => edit.takeTheirs(theirs)}
      onKeepMine={() => edit.keepMine(theirs)}
    />
  )
}
