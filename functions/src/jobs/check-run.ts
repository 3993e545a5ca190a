import { addSeconds } from '@shop/shared/time.ts'
import { checkSales } from '../dashboard/sales-check.ts'
import { CHECKING, type Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { checkGateway } from '../gateway/check.ts'
import { log } from '../http/log.ts'
import { checkRun } from '../pulse/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { checkSuppliers, type SupplierReport } from '../supplier/check.ts'
import { checkLedger, type LedgerReport } from '../wallet/ledger-check.ts'

/** A process that starts does not repeat what another has checked this recently. */
const FRESH_SECONDS = 12 * 3600
/** When there are more differences, only this many are kept. */
const KEPT = 20

interface NightlyCheck {
  /** In words for staff. */
  title: string
  /** Returns one line for each difference. */
  find(shop: Pick<Shop, 'db' | 'reports' | 'suppliers' | 'gateway' | 'now'>): Promise<string[]>
}

export const breachText = ({ invariant, what }: LedgerReport['breaches'][number]): string => `${invariant}: ${what}`

/** What is on its way is watched elsewhere, and a deposit at the supplier is no fault. */
export const certainOf = (differences: SupplierReport['differences']): string[] =>
  differences.filter(({ kind }) => kind === 'state' || kind === 'cost').map(({ what }) => what)

/** What is proved every night. The operators' commands of the same names keep their results in the same place. */
export const NIGHTLY_CHECK = {
  ledger: {
    title: 'บัญชีแยกประเภทและกระเป๋าเงิน',
    find: async ({ reports }) => (await checkLedger(reports)).breaches.map(breachText),
  },
  sales: {
    title: 'ยอดขายรายวัน',
    find: ({ reports }) => reports.transaction(checkSales, CHECKING),
  },
  gateway: { title: 'เงินที่ผู้ให้บริการรับชำระ', find: checkGateway },
  supplier: {
    title: 'การซื้อกับผู้จำหน่าย',
    async find(shop) {
      const { differences } = await checkSuppliers(shop, shop.db)
      return certainOf(differences)
    },
  },
} satisfies Record<string, NightlyCheck>
export type CheckRunName = keyof typeof NIGHTLY_CHECK

const run = under(checkRun)

export async function keepCheckRun(db: Sql, name: CheckRunName, what: readonly string[], at: Date): Promise<void> {
  await db.query({
    text: sql`INSERT INTO ${run} (${run.name}, ${run.at}, ${run.differences}, ${run.what}) VALUES ($1, $2, $3, $4)
      ON CONFLICT (${run.name}, ${run.at}) DO UPDATE SET ${excludedSql(pick(run, 'differences', 'what'))}`,
    values: [name, at, what.length, what.slice(0, KEPT)],
  })
}

export interface CheckRunRow {
  name: string
  at: Date
  differences: number
}

/** Returns the last result of each check. */
export async function findLastCheckRuns(db: Sql): Promise<Map<string, CheckRunRow>> {
  const rows = await db.query({
    text: sql`SELECT DISTINCT ON (${run.name}) ${row<CheckRunRow>(pick(run, 'name', 'at', 'differences'))} FROM ${run} ORDER BY ${run.name}, ${run.at} DESC`,
  })
  return new Map(rows.map(each => [each.name, each]))
}

/** Runs a check and keeps what it found, unless that was done a short while ago. */
export async function runNightly(
  shop: Pick<Shop, 'db' | 'reports' | 'suppliers' | 'gateway' | 'now'>,
  name: CheckRunName,
): Promise<void> {
  const last = (await findLastCheckRuns(shop.db)).get(name)
  if (last && addSeconds(last.at, FRESH_SECONDS) > shop.now()) return
  const what = await (NIGHTLY_CHECK[name] as NightlyCheck).find(shop)
  await keepCheckRun(shop.db, name, what, shop.now())
  if (what.length > 0) log('ERROR', 'the books differ', { check: name, differences: what.length })
}
