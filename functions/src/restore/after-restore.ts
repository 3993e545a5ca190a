import { supplierLabel } from '@shop/shared/provider-names.ts'
import type { Database } from '../database/database.ts'
import { sql, under } from '../database/sql.ts'
import { findSafeMode, type SafeMode, saveCompared } from '../outbox/safe-mode.ts'
import type { Shop } from '../shop/shop.ts'
import { checkSuppliers } from '../supplier/check.ts'
import type { Supplier } from '../supplier/provider.ts'
import { supplier } from '../supplier/tables.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { type BoughtAlready, findBoughtAlready } from './bought-already.ts'
import { holdCodes } from './held-codes.ts'
import { countLines, findLostLines, findLostSlips, type LostLine, type LostSlip, takeUpSlips } from './lost-hours.ts'
import {
  findLostPurchases,
  type ListedPurchase,
  type LostPurchase,
  type TakenUp,
  takeUpPurchases,
} from './lost-purchases.ts'

const s = under(supplier)

export interface RestoreReport {
  mode: SafeMode
  /** null where nothing is lost, or where there is no supplier to ask. */
  bought: BoughtAlready | null
  /** What left our balance there for purchases that the books do not know, in words. */
  balance: string | null
  /** What became of the supplier's own list, if it was given; and what of it still waits for staff. */
  list: TakenUp | null
  purchases: LostPurchase[]
  /** Bank lines of the lost hours: how many, and those of which no order is known. */
  lines: { all: number; lost: LostLine[] }
  slips: { found: number; unreadable: number; open: LostSlip[] }
  /** The suppliers that can't be asked by our references, so that a person has to compare their lists. */
  toCompare: string[]
  /** How many codes of the stock are held, because they may have been sold. */
  heldCodes: number
  /** How many differences the books have in themselves. */
  breaches: number
  /** Why go can't be said, in sentences. */
  obstacles: string[]
}

type Parts = Pick<Shop, 'suppliers' | 'files' | 'now'> & { db: Database; listed?: readonly ListedPurchase[] }

/** Tells whether purchases are made at all, as far as the books know. */
async function isBuying(db: Database): Promise<boolean> {
  return (await db.query({ text: sql`SELECT FROM ${s} WHERE ${s.isOn}` })).length > 0
}

function obstaclesOf(
  { isRestored, lostFrom }: SafeMode,
  silent: readonly string[],
  suppliers: Shop['suppliers'],
  isOn: boolean,
): string[] {
  if (!lostFrom) return isRestored ? ['The moment of the restore is not known here: say it, --since <moment>.'] : []
  if (isOn && Object.keys(suppliers).length === 0)
    return ['A supplier is switched on, and SUPPLIER is off here: set its variables, so that it can be asked.']
  if (silent.length === 0) return []
  return [
    `The supplier gave no answer about ${silent.length} orders or purchases (${silent.slice(0, 5).join(', ')}): run this again.`,
  ]
}

const askable = (suppliers: readonly Supplier[]): Supplier[] =>
  suppliers.filter(({ capabilities }) => capabilities.findByReference)

/**
 * Asks every supplier that can be asked by our own references. One that can't refuses a reference that comes again, so
 * that nothing is bought twice there either.
 */
async function findBoughtAtAll(
  db: Database,
  suppliers: readonly Supplier[],
  lost: Parameters<typeof findBoughtAlready>[2],
): Promise<BoughtAlready> {
  let all: BoughtAlready = { asked: 0, found: [], unanswered: [] }
  for (const supplier of askable(suppliers)) {
    const one = await findBoughtAlready(db, supplier, lost)
    all = {
      asked: Math.max(all.asked, one.asked),
      found: one.found,
      unanswered: [...all.unanswered, ...one.unanswered],
    }
  }
  return all
}

/** What the suppliers' lists name is asked of each that can be asked, since a list does not tell whose it is. */
async function takeUpAtAll(
  db: Database,
  suppliers: readonly Supplier[],
  listed: readonly ListedPurchase[],
  now: () => Date,
): Promise<TakenUp> {
  let all: TakenUp = { listed: listed.length, found: 0, unanswered: [] }
  for (const supplier of askable(suppliers)) {
    const one = await takeUpPurchases(db, supplier, listed, now)
    all = { ...all, found: all.found + one.found, unanswered: [...all.unanswered, ...one.unanswered] }
  }
  return all
}

/**
 * Compares a restored database with what it can't know: the supplier's purchases, the bank's lines and the files that
 * came after its moment. Whatever is found is written down at once; nothing is found twice.
 */
export async function compareAfterRestore({ db, suppliers, files, now, listed }: Parts): Promise<RestoreReport> {
  const mode = await findSafeMode(db)
  const { lostFrom, noticedAt } = mode
  const isOn = await isBuying(db)
  const all = Object.values(suppliers)
  const bought =
    lostFrom && all.length > 0 ? await findBoughtAtAll(db, all, { lostFrom, upTo: noticedAt ?? now(), now }) : null
  const list = all.length > 0 && listed ? await takeUpAtAll(db, all, listed, now) : null
  const { differences } = bought ? await checkSuppliers({ suppliers, now }, db) : { differences: [] }
  const period = lostFrom && { from: lostFrom, to: noticedAt ?? now() }
  const slips = lostFrom ? await takeUpSlips(db, files, { from: lostFrom, now }) : { found: 0, unreadable: 0 }
  const report = {
    mode,
    bought,
    balance: differences.flatMap(({ kind, what }) => (kind === 'balance' ? [what] : [])).join('; ') || null,
    list,
    purchases: await findLostPurchases(db),
    lines: period ? { all: await countLines(db, period), lost: await findLostLines(db, period) } : { all: 0, lost: [] },
    slips: { ...slips, open: await findLostSlips(db) },
    toCompare: all.flatMap(({ name, capabilities }) => (capabilities.findByReference ? [] : [supplierLabel(name)])),
    heldCodes: lostFrom ? await holdCodes(db, { lostFrom, now: now() }) : 0,
    breaches: (await checkLedger(db)).breaches.length,
    obstacles: obstaclesOf(mode, [...(bought?.unanswered ?? []), ...(list?.unanswered ?? [])], suppliers, isOn),
  }
  await saveCompared(db, report.obstacles.length === 0 ? now() : null)
  return report
}
