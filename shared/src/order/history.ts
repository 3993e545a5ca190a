import { ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from './status.ts'

/** What staff's list of orders can be sorted by: each has an index. */
export const ORDER_SORTS = ['createdAt', 'paidAt', 'amount', 'queueNo'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

/** Lists of what is to be done; each brings its own statuses and order. */
export const WAITING_FOR = ['reported', 'paid', 'mine', 'lateReport', 'corrected'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

interface WaitingEntry {
  label: string
  status: OrderStatus
  /** Only those whose buyer says that the money was sent. */
  isReported: boolean
  /** Only those whose buyer says whom to top up instead. */
  isCorrected?: true
  /** Only those that the caller has claimed. */
  isMine: boolean
  /** `reportedAt` only here, where few rows are sorted. */
  sort: OrderSort | 'reportedAt'
}

/** The one table of those lists; the longest wait comes first. */
export const WAITING: Record<WaitingFor, WaitingEntry> = {
  reported: {
    label: 'แจ้งโอนแล้ว',
    status: 'waiting_payment',
    sort: 'reportedAt',
    isReported: true,
    isMine: false,
  },
  paid: { label: 'รอเติม', status: 'paid', sort: 'paidAt', isReported: false, isMine: false },
  mine: { label: 'ของฉัน', status: 'processing', sort: 'paidAt', isReported: false, isMine: true },
  lateReport: {
    label: 'แจ้งโอนหลังหมดเวลา',
    status: 'expired',
    sort: 'createdAt',
    isReported: true,
    isMine: false,
  },
  corrected: {
    label: 'ลูกค้าแก้ข้อมูลผู้เล่น',
    status: 'failed',
    sort: 'createdAt',
    isReported: false,
    isCorrected: true,
    isMine: false,
  },
}

/** What a list is sorted by: by a heading that was pressed, else by what it is a list of. */
export function sortingOf(list: {
  waiting?: WaitingFor
  status?: readonly OrderStatus[]
  sort?: OrderSort
  direction?: 'asc' | 'desc'
}): { sort: OrderSort | 'reportedAt'; direction: 'asc' | 'desc' } {
  const { waiting, status = [], sort, direction = 'desc' } = list
  if (waiting) return { sort: WAITING[waiting].sort, direction: 'asc' }
  if (sort) return { sort, direction }
  // Who says that the money was sent waits for an answer; the others have yet to pay.
  const isUnpaid = status.length > 0 && status.every(each => each === 'waiting_payment')
  return isUnpaid ? { sort: 'reportedAt', direction: 'asc' } : { sort: 'createdAt', direction }
}

/** The shortest text that is searched for: shorter ones are found in nearly every order. */
export const SHORTEST_SEARCH = 3

/** What a searched text may name of an order. */
export const FOUND_BY = ['orderNo', 'player', 'buyer', 'amount'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** Orders that somebody still has to act on. */
export const OPEN_STATUSES = ORDER_STATUSES.filter(status => !ORDER_STATUS[status].isEnded)

/** Whether a month's list of these statuses also has what earlier months left: it does when somebody has to act on all. */
export const isCarriedOver = (status: readonly OrderStatus[] = []): boolean =>
  status.length > 0 && status.every(each => !ORDER_STATUS[each].isEnded)
