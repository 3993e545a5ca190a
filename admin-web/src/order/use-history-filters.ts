import { ORDER_STATUSES, type OrderStatus } from '@shop/shared/order/order.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { readPaging, writePaging } from '../ui/pager.ts'

export interface HistoryFilters {
  /** "YYYY-MM"; null is every month. */
  month: string | null
  game: number[]
  /** Empty is every status. */
  status: OrderStatus[]
  orderNo: string
  page: number
  pageSize: number
}

const ALL = 'all'
const DEFAULT_STATUS: OrderStatus[] = ['waiting_payment']
const FILTER_NAMES = ['month', 'game', 'status', 'orderNo']

/** Reads the filters of an address; what it does not say is the default: this month, waiting for payment. */
export function readFilters(params: URLSearchParams, now: Date): HistoryFilters {
  const month = params.get('month')
  const status = params.getAll('status')
  const valid = status.filter((each): each is OrderStatus => (ORDER_STATUSES as readonly string[]).includes(each))
  return {
    month: month === ALL ? null : month && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? month : bangkokMonthOf(now),
    game: params
      .getAll('game')
      .filter(each => /^[1-9]\d{0,8}$/.test(each))
      .map(Number),
    status: status.includes(ALL) ? [] : valid.length > 0 ? valid : DEFAULT_STATUS,
    orderNo: params.get('orderNo') ?? '',
    ...readPaging(params),
  }
}

/** The address's form of the filters, without what is the default anyway. */
export function writeFilters(filters: HistoryFilters, now: Date): [string, string][] {
  const isDefaultStatus = filters.status.join() === DEFAULT_STATUS.join()
  const status = filters.status.length === 0 ? [ALL] : isDefaultStatus ? [] : filters.status
  const entries: [string, string | null][] = [
    ['month', filters.month === bangkokMonthOf(now) ? null : (filters.month ?? ALL)],
    ...filters.game.map((id): [string, string] => ['game', String(id)]),
    ...status.map((each): [string, string] => ['status', each]),
    ['orderNo', filters.orderNo || null],
    ...writePaging(filters),
  ]
  return entries.filter((entry): entry is [string, string] => entry[1] !== null)
}

/** The history's filters, the open order's number, and ways to change them; all of it lives in the address. */
export function useHistoryFilters() {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params, new Date()), [params])

  const write = (next: HistoryFilters) => {
    const entries = writeFilters(next, new Date())
    const order = params.get('order')
    setParams(new URLSearchParams(order ? [...entries, ['order', order]] : entries), { replace: true })
  }
  return {
    filters,
    isFiltered: FILTER_NAMES.some(name => params.has(name)),
    /** A change of any filter starts at the first page again. */
    change: (some: Partial<HistoryFilters>) => write({ ...filters, page: 1, ...some }),
    reset: () => write({ ...readFilters(new URLSearchParams(), new Date()), pageSize: filters.pageSize }),
    openOrderNo: params.get('order'),
    open: (orderNo: string | null) => {
      const next = new URLSearchParams(params)
      if (orderNo) next.set('order', orderNo)
      else next.delete('order')
      // Back closes the panel; moving from one order to the next leaves no trail.
      setParams(next, { replace: orderNo === null || params.has('order') })
    },
  }
}
