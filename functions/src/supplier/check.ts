import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { ATTEMPT_STATE, type AttemptState, GOODS_STATES, type StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import type { Supplier, Told } from './provider.ts'
import * as store from './store.ts'

/** The days of purchases that are compared. */
export const CHECKED_DAYS = 2

export interface SupplierReport {
  purchases: number
  differences: { kind: 'state' | 'cost' | 'open' | 'balance'; what: string }[]
}

/** The states of a purchase that agree with a supplier's answer; null when the answer is not certain. */
const SAYS: Record<StatusAnswer['kind'], AttemptState[] | null> = {
  delivered: GOODS_STATES,
  failed: ['failed', 'refunded'],
  refunded: ['failed', 'refunded'],
  // A purchase that was refused never existed there.
  notFound: ['rejected'],
  pending: null,
  unknown: null,
}

/** Its amounts are those of the books. Others are told at a rate that moves, so sums of them explain nothing. */
const isInBaht = ({ capabilities }: Supplier): boolean => capabilities.currency === 'THB'

function differencesOf(
  supplier: Supplier,
  attempt: store.Attempt,
  told: Told<StatusAnswer>,
): SupplierReport['differences'] {
  const { reference, state, costSatang } = attempt
  const label = ATTEMPT_STATE[state].label
  const theirs = told.answer.kind
  const isOpen = ATTEMPT_STATE[state].isOpen || theirs === 'unknown'
  if (isOpen) return [{ kind: 'open', what: `${reference}: ${label}, they say ${theirs}` }]
  const expected = SAYS[theirs]
  if (!expected?.includes(state)) return [{ kind: 'state', what: `${reference}: ${label}, they say ${theirs}` }]
  if (!isInBaht(supplier) || !ATTEMPT_STATE[state].hasGoods) return []
  if (told.costSatang === null || told.costSatang === costSatang) return []
  return [{ kind: 'cost', what: `${reference}: cost ${costSatang}, they say ${told.costSatang} satang` }]
}

/**
 * Returns the difference between the change of our balance there and what was delivered since the last known balance
 * before the period.
 */
async function balanceDifference({ name, balance }: Supplier, db: Sql, from: Date): Promise<string | null> {
  const before = await store.findBalanceBefore(db, name, from)
  const now = await balance()
  if (!before || now === null) return null
  const spent: Satang = await store.sumDelivered(db, name, before.at)
  const unexplained = now - (before.balanceSatang - spent)
  if (unexplained === 0) return null
  return `since ${before.at.toISOString()}: delivered for ${formatBaht(spent)}, ${formatBaht(unexplained)} baht are not explained`
}

/**
 * Compares the purchases that the shop recorded with the supplier's answers, one by one, and their sum with our balance
 * there. A deposit appears as an unexplained amount.
 */
export async function checkSuppliers(
  { suppliers, now }: Pick<Shop, 'suppliers' | 'now'>,
  db: Sql,
): Promise<SupplierReport> {
  const reports: SupplierReport[] = []
  for (const supplier of Object.values(suppliers)) reports.push(await checkSupplier(supplier, now, db))
  return {
    purchases: reports.reduce((sum, { purchases }) => sum + purchases, 0),
    differences: reports.flatMap(({ differences }) => differences),
  }
}

/** One that was refused has no number of theirs, and not everybody finds by ours. */
const canAsk = ({ capabilities }: Supplier, { theirId, state }: store.Attempt): boolean =>
  theirId !== null || capabilities.findByReference || ATTEMPT_STATE[state].isOpen

async function checkSupplier(supplier: Supplier, now: Shop['now'], db: Sql): Promise<SupplierReport> {
  const from = addSeconds(now(), -CHECKED_DAYS * 86_400)
  const attempts = await store.findAttemptsSince(db, supplier.name, from)
  const differences: SupplierReport['differences'] = []
  // Purchases are checked one after the other, because suppliers block clients that ask too fast.
  for (const attempt of attempts.filter(each => canAsk(supplier, each)))
    differences.push(...differencesOf(supplier, attempt, await supplier.status(attempt, attempt.theirId)))
  const balance = isInBaht(supplier) && (await balanceDifference(supplier, db, from))
  if (balance) differences.push({ kind: 'balance', what: `${supplierLabel(supplier.name)} ${balance}` })
  return { purchases: attempts.length, differences }
}
