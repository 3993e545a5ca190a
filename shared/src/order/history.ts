import { ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from './status.ts'

/** What staff's list of orders can be sorted by: each has an index. */
export const ORDER_SORTS = ['createdAt', 'paidAt', 'amount', 'queueNo'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

/** Lists of what is to be done; each brings its own statuses and order. */
export const WAITING_FOR = ['reported', 'paid', 'mine', 'lateReport'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

interface WaitingEntry {
  label: string
  status: OrderStatus
  /** Only those whose buyer says that the money was sent. */
  isReported: boolean
  /** Only those that the caller has claimed. */
  isMine: boolean
  /** `reportedAt` only here, where few rows are sorted. */
  sort: OrderSort | 'reportedAt'
}

/** The one table of those lists; the longest wait comes first. */
export const WAITING: Record<WaitingFor, WaitingEntry> = {
  reported: {
    ...{ label: 'แจ้งโอนแล้ว', status: 'waiting_payment', sort: 'reportedAt' },
    ...{ isReported: true, isMine: false },
  },
  paid: { label: 'รอเติม', status: 'paid', sort: 'paidAt', isReported: false, isMine: false },
  mine: { label: 'ของฉัน', status: 'processing', sort: 'paidAt', isReported: false, isMine: true },
  lateReport: {
    ...{ label: 'แจ้งโอนหลังหมดเวลา', status: 'expired', sort: 'createdAt' },
    ...{ isReported: true, isMine: false },
  },
}

/** Staff's lists stop counting here: "more than 1,000". */
export const MOST_COUNTED_ORDERS = 1000

/** The shortest text that is searched for: shorter ones are found in nearly every order. */
export const SHORTEST_SEARCH = 3

/** What a searched text may name of an order. */
export const FOUND_BY = ['orderNo', 'player', 'buyer', 'amount'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** Orders that somebody still has to act on. */
export const OPEN_STATUSES = ORDER_STATUSES.filter(status => !ORDER_STATUS[status].isEnded)
