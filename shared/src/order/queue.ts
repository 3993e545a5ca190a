import type { OrderStatus } from './status.ts'

/** The statuses of the queue: paid and not yet delivered. */
export const QUEUED = ['paid', 'processing'] as const satisfies OrderStatus[]

export const QUEUE_GROUPS = ['mine', 'open', 'others'] as const
export type QueueGroup = (typeof QUEUE_GROUPS)[number]

/** Groups of the queue for one person, in the order in which they are shown. */
export const QUEUE_GROUP: Record<QueueGroup, { label: string }> = {
  mine: { label: 'ของฉัน' },
  open: { label: 'ยังไม่มีคนรับ' },
  others: { label: 'คนอื่นรับแล้ว' },
}

/** The number of rows of a group that are shown, oldest first; the search finds the others. */
export const QUEUE_GROUP_ROWS = 100
/** The most orders that can be claimed at once. */
export const MAX_CLAIMED_AT_ONCE = 20

interface Minutes {
  from: number
  to: number
}

/** After this part of the usual time an order is nearly late. */
export const NEAR = 0.75

/** How many of a game's latest deliveries set its usual time, how old they may be, and how few are too few. */
export const DELIVERY_SAMPLES = { latest: 50, days: 30, least: 10 } as const

/** Returns the time within which `part` of the sorted samples were done. */
const within = (sorted: readonly number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1]!

/** Above so many minutes what was measured is told in steps of them: nobody can promise the eleventh minute. */
const STEP_MINUTES = 5

const inSteps = (minutes: number, round: (steps: number) => number): number =>
  minutes <= STEP_MINUTES ? minutes : round(minutes / STEP_MINUTES) * STEP_MINUTES

/** Returns about the minutes within which half of the deliveries were done, and nine in ten; null when there are too few. */
export function usualMinutesOf(seconds: readonly number[]): Minutes | null {
  if (seconds.length < DELIVERY_SAMPLES.least) return null
  const sorted = [...seconds].sort((a, b) => a - b)
  const minutes = (part: number) => Math.max(1, Math.ceil(within(sorted, part) / 60))
  return { from: inSteps(minutes(0.5), Math.floor), to: inSteps(minutes(0.9), Math.ceil) }
}
