import { addSeconds } from '../time.ts'
import type { Order } from './order.ts'

/** For this long after an order's end, a tracking link still shows its player. */
const OPEN_SECONDS = 30 * 24 * 3600

/** Tells whether the tracking link hides names and numbers, because it may have been passed on long ago. */
export function isMasked(order: Pick<Order, 'endedAt'>, now: Date): boolean {
  return order.endedAt !== null && addSeconds(order.endedAt, OPEN_SECONDS) <= now
}

/** Returns "51******89", enough for the owner to recognise it. A short text keeps less, a very short one nothing. */
export function mask(text: string): string {
  const letters = [...text]
  const shown = Math.min(2, Math.floor(letters.length / 4))
  return letters.map((letter, at) => (at < shown || at >= letters.length - shown ? letter : '*')).join('')
}
