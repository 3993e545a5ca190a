import type { OrderStatus } from './status.ts'

/** What stands in the queue: paid and not yet delivered. */
export const QUEUED = ['paid', 'processing'] as const satisfies OrderStatus[]

export const QUEUE_GROUPS = ['mine', 'open', 'others'] as const
export type QueueGroup = (typeof QUEUE_GROUPS)[number]

/** Groups of the queue as one person sees them, in the order in which they stand. */
export const QUEUE_GROUP: Record<QueueGroup, { label: string }> = {
  mine: { label: 'ของฉัน' },
  open: { label: 'ยังไม่มีคนรับ' },
  others: { label: 'คนอื่นรับแล้ว' },
}

/** More rows of a group than a person reads; the oldest are shown, and the search finds the others. */
export const QUEUE_GROUP_ROWS = 100
/** Orders that are claimed in one go. */
export const MAX_CLAIMED_AT_ONCE = 20

interface Minutes {
  from: number
  to: number
}

const MINUTE_MS = 60_000
/** From this part of the usual time on, an order is nearly late. */
export const NEAR = 0.75

/** How late an order is that is paid since then, by the longest it usually takes. */
export function latenessOf(paidAt: Date, usual: Minutes, now: Date): 'fine' | 'near' | 'overdue' {
  const part = (now.getTime() - paidAt.getTime()) / (usual.to * MINUTE_MS)
  return part > 1 ? 'overdue' : part >= NEAR ? 'near' : 'fine'
}

/** How many of the latest deliveries tell a game's usual time, from how long ago, and how few are too few. */
export const DELIVERY_SAMPLES = { latest: 50, days: 30, least: 10 } as const

/** The time of which `part` of the sorted samples took no longer. */
const within = (sorted: readonly number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1]!

/** The minutes half of the deliveries took and nine in ten took; null when there are too few to tell. */
export function usualMinutesOf(seconds: readonly number[]): Minutes | null {
  if (seconds.length < DELIVERY_SAMPLES.least) return null
  const sorted = [...seconds].sort((a, b) => a - b)
  const minutes = (part: number) => Math.max(1, Math.ceil(within(sorted, part) / 60))
  return { from: minutes(0.5), to: minutes(0.9) }
}
