import { addSeconds } from '../time.ts'
import type { Order } from './order.ts'

/** How long after its end a tracking link still shows for whom an order was. */
const OPEN_SECONDS = 30 * 24 * 3600

/** Whether the tracking link, which may have been passed on long ago, no longer tells names and numbers. */
export function isMasked(order: Pick<Order, 'endedAt'>, now: Date): boolean {
  return order.endedAt !== null && addSeconds(order.endedAt, OPEN_SECONDS) <= now
}

/** "51******89": enough for its owner to know it again. A short text keeps less, a very short one nothing. */
export function mask(text: string): string {
  const letters = [...text]
  const shown = Math.min(2, Math.floor(letters.length / 4))
  return letters.map((letter, at) => (at < shown || at >= letters.length - shown ? letter : '*')).join('')
}
