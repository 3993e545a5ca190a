import type { soldFilters } from '@shop/shared/order/sold-filters.ts'
import { addSeconds, DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import type * as z from 'zod'
import { channelSql } from '../../dashboard/sale-day.ts'
import type { Filter } from '../../database/listing.ts'
import { type Expr, under } from '../../database/sql.ts'
import { orders } from '../tables.ts'

const o = under(orders, 'o')

type SoldQuery = z.output<z.ZodObject<typeof soldFilters>>

/** Limits a list of orders `o` to what a number of the sales dashboard counts. @param paid the SQL of its payment time */
export function mustBeOfSale(filter: Filter, query: SoldQuery, paid: Expr<unknown>): void {
  const { paidFrom, paidTo, package: packageId, payment, channel, buyer } = query
  filter.where(paidFrom, from => `${paid} >= ${from}`, startOfBangkokDay)
  filter.where(
    paidTo,
    end => `${paid} < ${end}`,
    day => addSeconds(startOfBangkokDay(day), DAY_MS / 1000),
  )
  filter.where(packageId, id => `${o.packageId} = ${id}`)
  filter.where(payment, code => `${o.payment} = ${code}`)
  filter.where(channel, name => `${channelSql('o')} = ${name}`)
  // The buyer's key has an index.
  filter.where(
    buyer,
    key => `${o.buyerKey} = ${key}`,
    uid => `u:${uid}`,
  )
}
