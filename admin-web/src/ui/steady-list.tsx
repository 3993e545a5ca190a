import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { type SteadyRow, useSteadyRows } from './use-steady-rows.ts'

/** Whether an event happened among the rows, or in a list that hangs from one. */
const isAmongRows = (event: SyntheticEvent) => (event.target as Element).closest('tbody, .ant-select-dropdown') !== null

/**
 * A polled table that holds still while the pointer or the focus is among its rows; a bar says that something
 * changed and shows it. `latest` must be the same array until the server answers anew. With `followsFocus` the focus
 * does not hold it: for lists where the focus stands on a row and goes with it.
 */
export function SteadyList<Row>(props: {
  latest: readonly Row[]
  keyOf: (row: Row) => string
  /** Names the question (filters, page, own changes); a new one is answered at once. */
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
