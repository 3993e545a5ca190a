import { formatBaht } from '@shop/shared/money.ts'
import type { ListedAgentApi } from '@shop/shared/reseller/key-endpoints.ts'
import { TwoLines } from '../ui/two-lines.tsx'

type Use = ListedAgentApi['today']

const count = (number: number): string => number.toLocaleString('en-US')

/** From so many calls on a rate says something, and from that rate on it is worth a look. */
const LEAST_CALLS = 20
const MANY_ERRORS = 0.05

export const NOTHING = <span className="muted">–</span>

/** How many calls there were, and how many of them failed. */
export function Calls({ use: { calls, errors }, unit = '' }: { use: Use; unit?: string }) {
  if (calls === 0) return NOTHING
  const isMany = calls >= LEAST_CALLS && errors / calls >= MANY_ERRORS
  const rate = `${((errors / calls) * 100).toFixed(1)}%`
  return (
    <>
      <div className="number">
        {count(calls)}
        {unit}
      </div>
      {errors > 0 && (
        <div className={`note number ${isMany ? 'is-warn strong' : 'muted'}`}>
          ไม่สำเร็จ {count(errors)} ({rate})
        </div>
      )}
    </>
  )
}

/** What was ordered for how much. @param isPlay of a test key it is play money */
export function Spending(props: { use: Use; isPlay?: boolean; unit?: string }) {
  const { use, isPlay = false, unit = '' } = props
  const { orders, spentSatang } = use
  if (orders === 0) return NOTHING
  return (
    <TwoLines note={isPlay ? `${count(orders)} คำสั่งซื้อ เงินทดลอง` : `${count(orders)} คำสั่งซื้อ`}>
      <span className={isPlay ? 'number muted' : 'number strong'}>
        {formatBaht(spentSatang)}
        {unit}
      </span>
    </TwoLines>
  )
}
