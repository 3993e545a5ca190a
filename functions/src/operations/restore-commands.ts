import { readFile } from 'node:fs/promises'
import { AppError } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { insertAudit } from '../audit/store.ts'
import { type Config, ConfigurationError, readConfig } from '../config/config.ts'
import { SERVICE } from '../config/outside.ts'
import type { Database, Sql } from '../database/database.ts'
import { requireSchema } from '../database/migrations.ts'
import { Refusal } from '../database/refusal.ts'
import {
  endSafeMode,
  findSafeMode,
  noticeRestore,
  orderSafeMode,
  type SafeMode,
  saveLostFrom,
} from '../outbox/safe-mode.ts'
import { compareAfterRestore, type RestoreReport } from '../restore/after-restore.ts'
import { type ListedPurchase, readPurchases } from '../restore/lost-purchases.ts'
import { noticeOlderDisk } from '../restore/witness.ts'
import { openRates } from '../supplier/rates.ts'
import { openFiles } from '../upload/files.ts'
import { type Command, type Operator, withDatabase } from './operator.ts'

const OPERATOR = { actorUid: 'operator', actorRole: 'admin', subject: 'safeMode:all' } as const

/** Returns what stands after a name among the arguments. */
function argument({ args }: Operator, name: string): string | undefined {
  const at = args.indexOf(name)
  const value = at < 0 ? undefined : args[at + 1]?.trim()
  return value?.startsWith('--') ? undefined : value
}

/** @throws Refusal */
function personOf(operator: Operator): string {
  const name = argument(operator, '--by')
  if (!name) throw new Refusal('Say who you are: --by "<your name>".')
  return name
}

const at = (moment: Date | null): string =>
  moment ? `${formatDateTimeSeconds(moment)} (Bangkok)` : 'an unknown moment'

function wordsOfMode({ isOn, isRestored, orderedAt, orderedFor, noticedAt, lostFrom }: SafeMode): string[] {
  if (!isOn) return ['Safe mode is off: the shop buys, sends and asks as usual.']
  return [
    'Safe mode is on: nothing is bought at the supplier, no message is sent and no slip is asked about. What is due waits.',
    ...(isRestored
      ? [
          `This database was restored, its disk was put back, or its server was replaced by a copy; noticed ${at(noticedAt)}.`,
        ]
      : []),
    ...(orderedAt ? [`Switched on by hand ${at(orderedAt)}: ${orderedFor}`] : []),
    ...(lostFrom ? [`What happened after ${at(lostFrom)} and before it was noticed is lost.`] : []),
  ]
}

export const safeModeCommand: Command = {
  does: 'tells whether the shop is in safe mode; with "on" and a reason it goes into it, see docs/operations/restore.md',
  takes: '[on "<why>" --by "<name>"]',
  run: operator =>
    withDatabase(operator, async db => {
      await requireSchema(db)
      const [what, why] = operator.args
      if (what && what !== 'on') throw new Refusal('Safe mode ends by after-restore --go, which compares first.')
      if (what === 'on') {
        const by = personOf(operator)
        if (!why?.trim() || why.startsWith('--')) throw new Refusal('Say why: safe-mode on "<why>" --by "<your name>".')
        const now = new Date()
        await db.transaction(async tx => {
          await orderSafeMode(tx, by, why, now)
          await keepWord(tx, 'safeMode.start', { name: by, reason: why }, now)
        })
      }
      await notice(operator, db)
      const mode = await findSafeMode(db)
      for (const line of wordsOfMode(mode)) operator.say(line)
      return what === 'on' || !mode.isOn
    }),
}

/** Looks whether this is another database than the shop knows, or an older one. */
async function notice({ variables, say }: Operator, db: Database): Promise<void> {
  const now = () => new Date()
  await noticeRestore(db, now())
  try {
    await noticeOlderDisk({ db, files: await filesOf(readConfig({ ...variables, PORT: undefined })), now })
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ConfigurationError)) throw error
    say('The files can not be read, so a disk that was put back to a snapshot would not be noticed here.')
  }
}

const filesOf = (config: Config) => openFiles({ folder: config.FILES_DIR, bucket: config.FILES_BUCKET })

const keepWord = (
  tx: Sql,
  action: 'safeMode.start' | 'safeMode.end',
  after: { name: string; reason?: string },
  now: Date,
) => insertAudit(tx, { ...OPERATOR, action, before: null, after, at: now })

const STATUS_WORDS: Partial<Record<string, string>> = {
  success: 'it is delivered',
  waiting_payment: 'it still waits for its money, and will be completed once that is found',
  expired: 'it had expired; if its money is found it will be completed',
  paid: 'it is completed from there',
  processing: 'it goes on from there',
}

const SHOWN = 20
/** The first of many, one line each. */
function* listed<T>(all: readonly T[], lineOf: (one: T) => string): Generator<string> {
  for (const one of all.slice(0, SHOWN)) yield `  ${lineOf(one)}`
  if (all.length > SHOWN) yield `  and ${all.length - SHOWN} more`
}

function* wordsOf({
  bought,
  balance,
  list,
  purchases,
  lines,
  slips,
  toCompare,
  heldCodes,
  breaches,
}: RestoreReport): Generator<string> {
  if (bought) {
    yield `Supplier: asked about ${bought.asked} orders that might be bought again; ${bought.found.length} purchases that the books had lost are found there and written down, so that they are not made again.`
    yield* listed(bought.found, one => `${one.orderNo} ${one.reference}: ${STATUS_WORDS[one.status] ?? one.status}`)
  }
  if (balance)
    yield `Supplier's balance ${balance}: the purchases of orders that are lost are in it. Give their list to see them: --purchases <file.csv>`
  if (list) yield `Supplier's list: ${list.listed} purchases, ${list.found} without an order newly found.`
  if (purchases.length > 0)
    yield `Purchases of which no order is known: ${purchases.length} wait for staff under "หลังกู้ข้อมูล".`
  yield* listed(
    purchases,
    one =>
      `${at(one.boughtAt)} ${one.reference} ${one.costSatang === null ? 'cost not told' : `${formatBaht(one.costSatang)} baht`} ${[one.product, one.player && `player ${one.player}`].filter(Boolean).join(', ')}`,
  )
  yield `Bank: ${lines.all} lines of the lost time are here, ${lines.lost.length} of them without an order. Staff see them under "จับคู่รายการธนาคาร" and "หลังกู้ข้อมูล".`
  yield* listed(
    lines.lost,
    one =>
      `${at(one.at)} ${formatBaht(one.amountSatang)} baht ${[one.fromBank, one.fromAccount, one.detail].filter(Boolean).join(' ')}`,
  )
  yield `Slips: ${slips.found} files without an order newly found, ${slips.open.length} wait for staff under "หลังกู้ข้อมูล".`
  yield* listed(
    slips.open,
    one =>
      `${at(one.createdAt)} ${one.sendingBank ? `bank ${one.sendingBank}, reference ${one.bankReference}` : 'no readable code'}`,
  )
  if (toCompare.length > 0)
    yield `${toCompare.join(', ')}: can not be asked about the lost time. Compare its own list with the orders that are still to be delivered, and complete by hand what it has delivered, before you say go.`
  if (heldCodes > 0)
    yield `Codes: ${heldCodes} of the stock are held, because some may have been sold in the lost time. Ask who issued them, then put back what is unused, under "สต็อกรหัส".`
  if (slips.unreadable > 0) yield `  ${slips.unreadable} files of slips could not be read.`
  yield breaches === 0
    ? 'Books: ledger-check holds.'
    : `Books: ledger-check finds ${breaches} differences; run it to see them.`
}

const STILL_TO_DO = [
  'Before go: let every bank account tell its lines of the lost time (import the file, or have the feed send them again), and run this again: what waits for its money finds it, and the rest is shown to staff.',
  'Ask who was on duty what they delivered or paid back by hand in the lost time; the books do not know it.',
  'Then: npm run ops -- after-restore --go --by "<your name>"',
]

async function compare(operator: Operator, db: Database): Promise<RestoreReport> {
  const config = readConfig({ ...operator.variables, PORT: undefined })
  const now = () => new Date()
  const files = await filesOf(config)
  const listed = await purchasesOf(operator)
  return compareAfterRestore({
    db,
    suppliers: SERVICE.suppliers.make(config, now, undefined, openRates(db)),
    files,
    now,
    listed,
  })
}

/** Returns the supplier's list, if one was given. @throws Refusal */
async function purchasesOf(operator: Operator): Promise<ListedPurchase[] | undefined> {
  if (!operator.args.includes('--purchases')) return undefined
  const path = argument(operator, '--purchases')
  if (!path) throw new Refusal("Name the file: --purchases <the supplier's list>.csv")
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Refusal(`${path} can not be read.`)
  })
  return readPurchases(text)
}

/** @throws Refusal */
function momentOf(operator: Operator): Date | null {
  if (!operator.args.includes('--since')) return null
  const moment = new Date(argument(operator, '--since') ?? '')
  if (Number.isNaN(moment.getTime()))
    throw new Refusal('Say the moment with its zone: --since 2026-11-23T21:00:00+07:00')
  return moment
}

export const afterRestore: Command = {
  does: "compares a restored database with the supplier, the bank's lines and the files; --go ends safe mode",
  takes: '[--since <moment>] [--purchases <file.csv>] [--go --by "<name>"]',
  run: operator =>
    withDatabase(operator, async db => {
      await requireSchema(db)
      const goes = operator.args.includes('--go')
      const by = goes ? personOf(operator) : ''
      const since = momentOf(operator)
      await notice(operator, db)
      const before = await findSafeMode(db)
      if (!before.isOn) {
        operator.say('Safe mode is off, nothing is to be compared.')
        return true
      }
      if (since) await saveLostFrom(db, since, new Date())
      const report = await compare(operator, db)
      for (const line of [...wordsOfMode(report.mode), ...wordsOf(report), ...report.obstacles]) operator.say(line)
      if (report.obstacles.length > 0) return false
      if (!goes) {
        for (const line of STILL_TO_DO) operator.say(line)
        return true
      }
      await go(db, by)
      operator.say(`${by} said go: the shop buys, sends and asks again.`)
      return true
    }),
}

/** @throws Refusal when the database changed once more in the meantime */
const go = (db: Database, by: string): Promise<void> =>
  db.transaction(async tx => {
    const now = new Date()
    if (!(await endSafeMode(tx, by, now))) throw new Refusal('Something changed meanwhile: run after-restore again.')
    await keepWord(tx, 'safeMode.end', { name: by }, now)
  })
