import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { bangkokDayNumber } from '@shop/shared/time.ts'
import { inBangkok } from '@shop/web/dates.ts'

/** " พรุ่งนี้", or the date; nothing for a day of today. */
function dayOf(at: string, now: string): string {
  const daysAhead = bangkokDayNumber(new Date(at)) - bangkokDayNumber(new Date(now))
  return ['', ' พรุ่งนี้'][daysAhead] ?? ` ${inBangkok(at).format('D MMM')}`
}

/** Nobody can say the minute, so times that are only expected are told in steps of five. */
const STEP_MS = 5 * 60_000
const roundedClock = (at: string, round: (steps: number) => number) =>
  inBangkok(new Date(round(new Date(at).getTime() / STEP_MS) * STEP_MS).toISOString())

/** Says when the goods of a paid order are expected: "คาดว่าเสร็จ 09:05–09:15 น."; null while none are. */
export function expectedTextOf({ expected, nowDate }: Pick<OrderView, 'expected' | 'nowDate'>): string | null {
  if (!expected) return null
  if (nowDate > expected.to) return 'ใช้เวลานานกว่าปกติ ทีมงานกำลังเร่งให้'
  const [from, to] = [roundedClock(expected.from, Math.floor), roundedClock(expected.to, Math.ceil)]
  const isAhead =
    nowDate < expected.from && from.format('D') === to.format('D') && from.format('HH:mm') !== to.format('HH:mm')
  const by = `${to.format('HH:mm')}\u00a0น.${dayOf(expected.to, nowDate)}`
  return isAhead ? `คาดว่าเสร็จ ${from.format('HH:mm')}–${by}` : `คาดว่าเสร็จภายใน ${by}`
}
