import { PAYMENT_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { SALE_CHANNELS } from '@shop/shared/dashboard/channel.ts'
import { ORDER_SORTS, WAITING_FOR } from '@shop/shared/order/history.ts'
import { ORDER_STATUSES } from '@shop/shared/order/status.ts'
import {
  choicesField,
  currentMonthField,
  dayField,
  type Filters,
  idsField,
  textField,
  textUpTo,
  useUrlFilters,
} from '../ui/url-filters.ts'

/** Filters that a number of the sales dashboard leads here with. They are shown together and can only be left out. */
const saleFields = {
  paidFrom: dayField,
  paidTo: dayField,
  package: idsField,
  payment: choicesField(PAYMENT_CODES),
  channel: choicesField(SALE_CHANNELS),
  buyer: textField,
}

export const NO_SALE = { paidFrom: null, paidTo: null, package: [], payment: [], channel: [], buyer: '' }

const fields = {
  ...saleFields,
  month: currentMonthField,
  game: idsField,
  status: choicesField(ORDER_STATUSES, ['waiting_payment']),
  text: textField,
  waiting: choicesField(WAITING_FOR),
  sort: choicesField(ORDER_SORTS),
  direction: choicesField(['asc', 'desc']),
  /** The cursor after which the page begins; it is set only on pages after the first. */
  after: textUpTo(300),
}

export type HistoryFilters = Filters<typeof fields>

const UNPAID = 'waiting_payment'

/** Whether the list is that of a number of the sales dashboard. */
export const isOfSale = ({ paidFrom, paidTo, package: packages, payment, channel, buyer }: HistoryFilters): boolean =>
  paidFrom !== null || paidTo !== null || buyer !== '' || packages.length + payment.length + channel.length > 0

/** Whether the list is that of the orders that wait for payment, which is the one that opens. */
export const isUnpaidList = ({ waiting, status }: Pick<HistoryFilters, 'waiting' | 'status'>): boolean =>
  waiting.length === 0 && status.join() === UNPAID

/** The lists to choose from: all orders, those that wait for payment, and those that wait for somebody here. */
export const HISTORY_LISTS = ['all', UNPAID, ...WAITING_FOR] as const
export type HistoryList = (typeof HISTORY_LISTS)[number]

export const listOf = (filters: HistoryFilters): HistoryList =>
  filters.waiting[0] ?? (isUnpaidList(filters) ? UNPAID : 'all')

/** The filters that make up a list. */
export const filtersOf = (list: HistoryList): Pick<HistoryFilters, 'waiting' | 'status'> => ({
  waiting: list === 'all' || list === UNPAID ? [] : [list],
  status: list === UNPAID ? [UNPAID] : [],
})

/** The history's filters; without any in the address they are this month and the orders that wait for payment. */
export function useHistoryFilters() {
  const { filters, isFiltered: isAddressed, change } = useUrlFilters(fields)
  const list = listOf(filters)
  const standard = {
    ...NO_SALE,
    month: fields.month.read([]),
    game: [],
    text: '',
    sort: [],
    direction: [],
    after: '',
    ...filtersOf(list),
  }
  return {
    filters,
    /** Whether the address names anything; without, nobody has chosen the list yet. */
    isAddressed,
    /** Whether the list is narrowed; choosing another list does not count. */
    isFiltered:
      filters.game.length > 0 ||
      filters.text !== '' ||
      isOfSale(filters) ||
      filters.month !== standard.month ||
      (list === 'all' && filters.status.length > 0),
    change,
    reset: () => change(standard),
  }
}

/** The filters as the API takes them. Lists of waiting orders hold every month, in a fixed order. */
export function queryOf(filters: HistoryFilters) {
  const { month, game, status, text, waiting, sort, direction } = filters
  const [waitsFor] = waiting
  return {
    game,
    text: text || undefined,
    paidFrom: filters.paidFrom ?? undefined,
    paidTo: filters.paidTo ?? undefined,
    package: filters.package[0],
    payment: filters.payment[0],
    channel: filters.channel[0],
    buyer: filters.buyer || undefined,
    ...(waitsFor
      ? { waiting: waitsFor }
      : { month: month ?? undefined, status, sort: sort[0], direction: direction[0] }),
  }
}
