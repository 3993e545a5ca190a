import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { isWhole } from '@shop/shared/order/payer.ts'
import { chainOf, type Doubted, knownBefore, type Movement } from '@shop/shared/statement/chain.ts'
import type { Check } from '@shop/shared/statement/proof.ts'
import { type Met, pairMovements, type ToldMovement } from '@shop/shared/statement/same-movement.ts'
import type { Sql } from '../database/database.ts'
import type { HashAccount } from '../transfer/account-hash.ts'
import { findChain, judgeChain } from './chain-store.ts'
import { confirmLines, findKnown, insertLines, type LineSource, lockAccount, type NewLine } from './import-store.ts'

/** The number of lines in one statement. */
const CHUNK = 5000

/** A line as a file or a feed reports it. */
export interface ToldLine extends ToldMovement, Pick<NewLine, 'detail' | 'fromBank' | 'fromAccount' | 'channel'> {}

function newLine({ time, reference: _, ...told }: ToldLine): NewLine {
  const line = { ...told, payerHash: null }
  if (time === null) return { ...line, at: null, precisionSeconds: null }
  const hasSeconds = time.length > 5
  const at = new Date(`${line.day}T${hasSeconds ? time : `${time}:00`}+07:00`)
  return { ...line, at, precisionSeconds: hasSeconds ? 1 : 60 }
}

const payerHashOf = ({ fromBank, fromAccount }: ToldLine, hashAccount: HashAccount): string | null =>
  fromBank !== null && isWhole(fromAccount) ? hashAccount({ bankCode: fromBank, accountNo: fromAccount }) : null

/** Returns which of the reported lines are new to an account, and which known lines the others are. */
export async function pairWithKnown(db: Sql, receivingAccountId: number, told: readonly ToldLine[]) {
  const known = await findKnown(
    db,
    receivingAccountId,
    told.map(({ day }) => day),
  )
  return pairMovements(told, known)
}

/** Predicts for an import how many balances do not follow, and describes how the file begins. */
export async function foreseeChain(
  db: Sql,
  receivingAccountId: number,
  { fresh, met }: { fresh: readonly ToldLine[]; met: readonly Met<ToldLine>[] },
): Promise<{ gaps: number; checks: Check[] }> {
  const days = [...fresh, ...met.map(({ told }) => told)].map(({ day }) => day).sort()
  if (days[0] === undefined) return { gaps: 0, checks: [] }
  const { believed, doubted } = await findChain(db, receivingAccountId, days[0])
  const filled = met.filter(({ told, known }) => known.balanceSatang === null && told.balanceSatang !== null)
  const isFilled = new Set(filled.map(({ known }) => known.key))
  const told = [...fresh, ...filled.map(each => each.told)].map(line => ({
    ...newLine(line),
    isBalanceExpected: false,
  }))
  const others = doubted.filter(({ key }) => !isFilled.has(key))
  const states = chainOf<Doubted>(believed, [...others, ...told])
  const ofFile = told.slice(0, fresh.length)
  const gaps = ofFile.filter(line => states.get(line) === 'gap').length
  const first = ofFile.filter(({ balanceSatang }) => balanceSatang !== null).sort(byTime)[0]
  const before = first ? knownBefore(believed, first) : null
  if (!first || before === null) return { gaps, checks: [] }
  return { gaps, checks: [beginning(before, first.balanceSatang! - first.amountSatang, gaps)] }
}

const byTime = (a: Movement, b: Movement) => (a.day < b.day ? -1 : a.day > b.day ? 1 : Number(a.at) - Number(b.at))

/** Tells whether a file continues the known lines, with both balances when it does not. */
function beginning(knownSatang: Satang, toldSatang: Satang, gaps: number): Check {
  const known = formatBaht(knownSatang)
  if (gaps === 0) return { ok: true, text: `ยอดต่อจากรายการล่าสุดของบัญชีนี้ (${known})` }
  const whyNot = 'อาจเป็นไฟล์ของบัญชีอื่น มีรายการขาดไประหว่างนั้น หรือไฟล์ถูกแก้'
  const text =
    knownSatang === toldSatang
      ? `ยอดต่อจากรายการล่าสุดของบัญชีนี้ (${known}) แต่ ${gaps.toLocaleString('en-US')} รายการในไฟล์ไม่ต่อกัน`
      : `รายการล่าสุดของบัญชีนี้เหลือ ${known} แต่ไฟล์เริ่มจากยอด ${formatBaht(toldSatang)}`
  return { ok: false, text: `${text}: ${whyNot}` }
}

/**
 * Stores the new lines in the order reported and judges whether balances follow. Imports into one account run one after
 * the other. `inSatang` is the new incoming money.
 */
export async function addNew(
  tx: Sql,
  told: readonly ToldLine[],
  of: { receivingAccountId: number; source: LineSource; hashAccount: HashAccount; now: Date },
): Promise<{ imported: number; known: number; inSatang: Satang }> {
  await lockAccount(tx, of.receivingAccountId)
  const { fresh, met } = await pairWithKnown(tx, of.receivingAccountId, told)
  await confirmLines(tx, met, of)
  const lines = fresh.map(line => ({ ...newLine(line), payerHash: payerHashOf(line, of.hashAccount) }))
  let imported = 0
  // Lines are doubted until their balance is seen to follow.
  for (let from = 0; from < lines.length; from += CHUNK)
    imported += await insertLines(tx, lines.slice(from, from + CHUNK), { ...of, chain: 'gap' })
  const days = told.map(({ day }) => day).sort()
  if (days[0] !== undefined) await judgeChain(tx, of.receivingAccountId, days[0])
  const inSatang = lines.reduce((sum, { amountSatang }) => sum + Math.max(0, amountSatang), 0)
  return { imported, known: told.length - imported, inSatang }
}
