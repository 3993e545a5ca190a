import { type SalePeriod, salePeriod } from '@shop/shared/dashboard/dashboard.ts'
import { ALL, type SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'

/** Orders whose money the shop holds, which are those that count as sold. */
const SOLD = ORDER_STATUSES.filter(status => ORDER_STATUS[status].money === 'held')

/** The part of the sales whose orders are listed. */
export type SalePart = Partial<Record<'game' | 'package' | 'channel' | 'buyer', string | number>>

/** Returns the address of the orders that a number of the dashboard is made of. */
export function placeOfSales({ game, period, paymentMethod }: SaleFilter, part: SalePart): string {
  const { from, to } = salePeriod(period satisfies SalePeriod, new Date()).days
  const query = new URLSearchParams({ month: ALL, sort: 'paidAt', paidFrom: from, paidTo: to })
  for (const status of SOLD) query.append('status', status)
  const narrowed = { ...(game !== ALL && { game }), ...(paymentMethod !== ALL && { payment: paymentMethod }), ...part }
  for (const [name, value] of Object.entries(narrowed)) query.set(name, String(value))
  return `${STAFF_PAGE.history.path}?${query}`
}
