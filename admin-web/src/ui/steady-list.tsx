import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { type SteadyRow, useSteadyRows } from './use-steady-rows.ts'

/** Whether an event happened among the rows, or in the drop-down list of one. */
const isAmongRows = (event: SyntheticEvent) => (event.target as Element).closest('tbody, .ant-select-dropdown') !== null

/**
 * Keeps a polled table still while the pointer or the focus is among its rows; a bar says that something has changed
 * and shows it on demand. `latest` must be the same array until the server answers again. With `followsFocus` only the
 * pointer keeps the table still, for lists in which the focus moves with its row.
 */
export function SteadyList<Row>(props: {
  latest: readonly Row[]
  keyOf: (row: Row) => string
  /** Changes with the filters, the page and the person's own changes; the table then follows at once. */
  scope: string
  followsFocus?: boolean
  children: (rows: SteadyRow<Row>[]) => ReactNode
}) {
  const { latest, keyOf, scope, followsFocus = false, children } = props
  const [isHeld, setIsHeld] = useState(false)
  const steady = useSteadyRows(latest, { keyOf, scope, isHeld })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices that somebody reads; nothing is operated here
    <div
      className="steady"
      onMouseOver={event => setIsHeld(isAmongRows(event))}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={event => !followsFocus && setIsHeld(isAmongRows(event))}
      onBlur={() => !followsFocus && setIsHeld(false)}
    >
      {steady.waiting && (
        <div className="changed-bar" role="status">
          รายการมีการเปลี่ยนแปลง
          <Button size="small" onClick={steady.release}>
            แสดงล่าสุด
          </Button>
        </div>
      )}
      {children(steady.rows)}
    </div>
  )
}
