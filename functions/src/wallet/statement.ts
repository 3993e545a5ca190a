import { toDecimalText } from '@shop/shared/money.ts'
import { bangkokMonth, formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import type { Context } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { csvReply } from '../http/csv.ts'
import { inJson } from '../http/in-json.ts'
import { readStatement, type StatementLine } from './history-store.ts'
import { findBalanceBefore } from './store.ts'

type StatementRow = WalletStatement['rows'][number]

/** Adds to each line the balance after it. */
function withBalances(lines: StatementLine[], openingSatang: number): StatementRow[] {
  let balanceSatang = openingSatang
  return lines.map(line => {
    balanceSatang += line.amountSatang
    return { ...inJson(line), balanceSatang }
  })
}

/** Everything that moved on a wallet in a Bangkok month, between its opening and its closing balance. */
export async function statementOf(db: Sql, walletId: string, month: string): Promise<WalletStatement> {
  const period = bangkokMonth(month)
  const openingSatang = await findBalanceBefore(db, walletId, period.from)
  const lines: StatementLine[] = []
  for await (const batch of readStatement(db, walletId, period)) lines.push(...batch)
  const rows = withBalances(lines, openingSatang)
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const moved = rows.map(row => row.amountSatang)
  const inSatang = sum(moved.filter(amount => amount > 0))
  const outSatang = -sum(moved.filter(amount => amount < 0))
  return { month, openingSatang, inSatang, outSatang, closingSatang: openingSatang + inSatang - outSatang, rows }
}

const STATEMENT_SHEET = {
  header: ['วันที่', 'เลขที่รายการ', 'ประเภท', 'ฝาก/ถอน', 'รายละเอียด', 'จำนวนเงิน', 'ยอดคงเหลือ'],
  cellsOf: (cells: string[]) => cells,
}

const statementCells = (row: StatementRow): string[] => [
  formatDateTimeSeconds(row.at),
  row.no,
  row.actionType,
  row.transType,
  row.detail,
  toDecimalText(row.amountSatang),
  toDecimalText(row.balanceSatang),
]

async function* statementBatches(db: Sql, walletId: string, month: string): AsyncGenerator<string[][]> {
  const total = (label: string, amountSatang: number) => ['', '', '', '', label, '', toDecimalText(amountSatang)]
  const period = bangkokMonth(month)
  let balanceSatang = await findBalanceBefore(db, walletId, period.from)
  yield [total('ยอดยกมา', balanceSatang)]
  for await (const lines of readStatement(db, walletId, period)) {
    const rows = withBalances(lines, balanceSatang)
    balanceSatang = rows.at(-1)!.balanceSatang
    yield rows.map(statementCells)
  }
  yield [total('ยอดยกไป', balanceSatang)]
}

/** The same as a download. */
export const statementCsv = ({ shop, now }: Pick<Context, 'shop' | 'now'>, walletId: string, month: string) =>
  csvReply(STATEMENT_SHEET, statementBatches(shop.db, walletId, month), now)
