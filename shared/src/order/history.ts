import { ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from './status.ts'

/** The keys by which staff can sort orders; each has an index. */
export const ORDER_SORTS = ['createdAt', 'paidAt', 'amount', 'queueNo'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

/** Lists of work to be done; each has its own statuses and order. */
export const WAITING_FOR = ['reported', 'paid', 'mine', 'lateReport', 'corrected', 'failed'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

interface WaitingEntry {
  label: string
  status: OrderStatus
  /** Whether only orders are listed whose buyer reported a transfer. */
  isReported?: true
  /** Whether only orders are listed whose buyer proposed another player, or only those whose buyer did not. */
  isCorrected?: boolean
  /** Whether only orders are listed that the caller has claimed. */
  isMine?: true
  /** `reportedAt` is allowed only here, because few rows are sorted. */
  sort: OrderSort | 'reportedAt'
}

/** The table of these lists; the longest wait comes first. */
export const WAITING: Record<WaitingFor, WaitingEntry> = {
  reported: { label: 'แจ้งโอนแล้ว', status: 'waiting_payment', sort: 'reportedAt', isReported: true },
  paid: { label: 'รอเติม', status: 'paid', sort: 'paidAt' },
  mine: { label: 'ของฉัน', status: 'processing', sort: 'paidAt', isMine: true },
  lateReport: { label: 'แจ้งโอนหลังหมดเวลา', status: 'expired', sort: 'createdAt', isReported: true },
  failed: { label: 'เติมไม่สำเร็จ ถือเงินอยู่', status: 'failed', sort: 'createdAt', isCorrected: false },
  corrected: { label: 'ลูกค้าแก้ข้อมูลผู้เล่น', status: 'failed', sort: 'createdAt', isCorrected: true },
}

/** Returns how a list is sorted: by the chosen heading, else by the order of its kind. */
export function sortingOf(list: {
  waiting?: WaitingFor
  status?: readonly OrderStatus[]
  sort?: OrderSort
  direction?: 'asc' | 'desc'
}): { sort: OrderSort | 'reportedAt'; direction: 'asc' | 'desc' } {
  const { waiting, status = [], sort, direction = 'desc' } = list
  if (waiting) return { sort: WAITING[waiting].sort, direction: 'asc' }
  if (sort) return { sort, direction }
  // A buyer who reported a transfer waits for an answer; the others still have to pay.
  const isUnpaid = status.length > 0 && status.every(each => each === 'waiting_payment')
  return isUnpaid ? { sort: 'reportedAt', direction: 'asc' } : { sort: 'createdAt', direction }
}

/** The shortest text that is searched for; nearly every order contains shorter ones. */
export const SHORTEST_SEARCH = 3

/** The parts of an order that a search looks at. */
export const FOUND_BY = ['orderNo', 'player', 'buyer', 'slip', 'amount'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** The statuses of orders on which somebody still has to act. */
export const OPEN_STATUSES = ORDER_STATUSES.filter(status => !ORDER_STATUS[status].isEnded)

/**
 * Tells whether a month's list of these statuses includes orders of earlier months: only if somebody has to act on all
 * of them.
 */
export const isCarriedOver = (status: readonly OrderStatus[] = []): boolean =>
  status.length > 0 && status.every(each => !ORDER_STATUS[each].isEnded)
