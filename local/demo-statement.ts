// Bank statements of the demo shop's past. Run as a program, it writes bank files that pay the orders which wait now.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toDecimalText } from '@shop/shared/money.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import { addSeconds, bangkokDay, DAY_MS, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { hashSecret } from 'functions/src/account/caller.ts'
import { type Database, openDatabase, type Sql } from 'functions/src/database/database.ts'
import { DEVELOPMENT_TOTP_KEY } from 'functions/src/environment/environment.ts'
import { insertFeedKey, useFeedKey } from 'functions/src/statement/feed-store.ts'
import { matchLines } from 'functions/src/statement/matching.ts'
import { addNew } from 'functions/src/statement/take-in.ts'
import { openAccountHash } from 'functions/src/transfer/account-hash.ts'
import { DUE, dueSql } from 'functions/src/transfer/order-money.ts'
import { uuidv7 } from 'uuidv7'
import { mustAnswer } from './demo-database.ts'
import { projectRoot } from './os-process.ts'

export interface Movement {
  accountId: number
  at: Date
  amountSatang: number
  /** How the bank names it, where it is no ordinary transfer. */
  detail?: string | undefined
}

const OPENING_SATANG = 10_000_000
const payers = [
  { name: 'นาย สมชาย ใจดี', bank: 'SCB', code: '014', account: 'x4321' },
  { name: 'น.ส. มะลิ ทองคำ', bank: 'BBL', code: '002', account: 'x8765' },
  { name: 'นาง วรรณา สุขใจ', bank: 'KTB', code: '006', account: 'x1122' },
  { name: 'นาย ก้อง เกียรติ', bank: 'KBANK', code: '004', account: 'x3344' },
] as const
/** Who sends money at that time. */
const payerAt = (at: Date) => payers[Math.floor(at.getTime() / 60_000) % payers.length]!

/** What the banks saw of orders and top-ups that were paid; some of the money leaves for the shop's other account. */
async function pastMovements(db: Sql): Promise<Movement[]> {
  const paid = await db.query<Movement>({
    text: `SELECT receiving_account_id AS "accountId", created_at + interval '100 seconds' AS at,
        ${dueSql('orders')} AS "amountSatang"
      FROM orders WHERE payment = 'bank' AND paid_at IS NOT NULL
      UNION ALL SELECT receiving_account_id, created_at - interval '5 minutes', amount_satang
      FROM top_up WHERE receiving_account_id IS NOT NULL AND status = 'approve' ORDER BY at`,
  })
  const withdrawn = paid
    .filter((_, index) => index % 60 === 59)
    .map(({ accountId, at }) => ({ accountId, at: addSeconds(at, 4000), amountSatang: -500_000 }))
  return [...paid, ...withdrawn]
}

/** Imports the statements of the past and matches them as the shop does. @param others what came beside orders and top-ups */
export async function insertDemoStatement(db: Database, others: readonly Movement[], now: Date): Promise<void> {
  await insertFeedKeys(db, addSeconds(now, (-50 * DAY_MS) / 1000))
  const movements = [...(await pastMovements(db)), ...others].sort((a, b) => Number(a.at) - Number(b.at))
  for (const accountId of new Set(movements.map(movement => movement.accountId))) {
    const own = movements.filter(movement => movement.accountId === accountId)
    await db.transaction(tx => tellMovements(tx, accountId, own, now))
  }
  await matchLines({ db, now: () => now })
}

/** The bank's lines come through a feed, one key for each account; nobody has these keys. */
async function insertFeedKeys(db: Sql, now: Date): Promise<void> {
  const accounts = await db.query<{ id: number }>({ text: 'SELECT id FROM receiving_account ORDER BY id' })
  for (const { id: receivingAccountId } of accounts) {
    const id = uuidv7()
    const key = { id, name: 'ธนาคารจำลอง', keyHash: hashSecret(randomBytes(32).toString('hex')), prefix: null }
    await insertFeedKey(db, { ...key, receivingAccountId, createdBy: 'demo-admin', expiresAt: null, now })
  }
}

/** Returns what the shop last believed to be on an account: money that comes must follow from it. */
export async function findBalance(db: Pick<Sql, 'query'>, accountId: number): Promise<number> {
  const [line] = await db.query<{ balanceSatang: number }>({
    text: `SELECT balance_satang AS "balanceSatang" FROM statement_line
      WHERE receiving_account_id = $1 AND balance_satang IS NOT NULL AND chain <> 'gap' AND state <> 'void'
      ORDER BY day DESC, coalesce(at, '-infinity') DESC, no DESC LIMIT 1`,
    values: [accountId],
  })
  return line?.balanceSatang ?? OPENING_SATANG
}

/** The bank shows movements of an account, whose balances follow from what is known of it. */
export async function tellMovements(
  tx: Sql,
  accountId: number,
  movements: readonly Omit<Movement, 'accountId'>[],
  now: Date,
): Promise<void> {
  let balanceSatang = await findBalance(tx, accountId)
  const facts = movements.map(({ at, amountSatang, detail }) => {
    balanceSatang += amountSatang
    const { name, bank, code, account } = payerAt(at)
    const from =
      detail !== undefined || amountSatang < 0
        ? { detail: detail ?? 'โอนไป บจก. คราม เติมเกม', fromBank: null, fromAccount: null }
        : { detail: `จาก ${bank} ${account.toUpperCase()} ${name}`, fromBank: code, fromAccount: account }
    const time = formatDateTimeSeconds(at).slice(11, 16)
    const channel = 'Internet/Mobile'
    return { ...from, date: bangkokDay(at), time, amountSatang, balanceSatang, channel, reference: null }
  })
  const keys = lineKeys(facts)
  const told = facts.map(({ date, ...fact }, index) => ({ ...fact, day: date, key: keys[index]! }))
  const [key] = await tx.query<{ id: string }>({
    text: 'SELECT id FROM feed_key WHERE receiving_account_id = $1 ORDER BY created_at LIMIT 1',
    values: [accountId],
  })
  const source = { fileId: null, feedKeyId: key?.id ?? null }
  if (key) await useFeedKey(tx, key.id, now)
  const hashAccount = openAccountHash({ TOTP_KEY: [DEVELOPMENT_TOTP_KEY] })
  await addNew(tx, told, { receivingAccountId: accountId, source, hashAccount, now })
}

interface FileAccount {
  id: number
  bankCode: string
  accountNo: string
  movements: { at: string; amountSatang: number }[]
}

const baht = (amountSatang: number) => `"${toDecimalText(amountSatang)}"`

/** How the files of three banks show money that came in. Other banks' files are written in SCB's way. */
const FILES: Record<
  string,
  { header: string[]; row: (account: FileAccount, at: Date, sum: number, balance: number) => string }
> = {
  '004': {
    header: [',วันที่,เวลา/ วันที่มีผล,รายการ,ถอนเงิน,,ฝากเงิน,,ยอดคงเหลือ,,ช่องทาง,,รายละเอียด'],
    row: (_, at, sum, balance) => {
      const [day, clock] = formatDateTimeSeconds(at).split(' ') as [string, string]
      const short = `${day.slice(0, 2)}-${day.slice(3, 5)}-${day.slice(8)}`
      return `,${short},${clock.slice(0, 5)},รับโอนเงิน,,,${baht(sum)},,${baht(balance)},,K PLUS,,จาก X1234 นาย ทดสอบ`
    },
  },
  '002': {
    header: [
      'Transaction Date and Time,Value Date,Description,Cheque Number,Debit Amount,Credit Amount,Ledger Balance,Channel of transaction,Branch,Location,TerminalID,Narrative,Counter Party Account Name,Counter Party Account Number,FX Rate',
    ],
    row: (_, at, sum, balance) => {
      const moment = formatDateTimeSeconds(at)
      const [into, left] = [sum, balance].map(amount => `"${toDecimalText(amount)} THB"`)
      return `"${moment}","${moment.slice(0, 10)}","TR FR/TO S/A","",0.00,${into},${left},"Mobile","","","","","นาย ทดสอบ","0942XXX234","0.00"`
    },
  },
  '014': {
    header: [
      'Account Number,Account Name,Account Type,Currency Code,Branch Code,Date,Time,Tr Code,Tr Description,Channel,Cheque No.,Withdrawal,Deposit,Outstanding Balance,Description',
    ],
    row: ({ accountNo }, at, sum, balance) => {
      const [day, clock] = formatDateTimeSeconds(at).split(' ') as [string, string]
      const amounts = `,${toDecimalText(sum)},${toDecimalText(balance)}`
      return `${accountNo},คราม เติมเกม,ออมทรัพย์,THB,0000,${day},${clock.slice(0, 5)},X1,โอน,ENET,,${amounts},รับโอนจาก KBANK x1234 นาย ทดสอบ`
    },
  },
}

/** Writes one bank file for each receiving account, in which every order that waits has just been paid. */
async function writeFiles(db: Sql, folder: string): Promise<string[]> {
  const accounts = await db.query<FileAccount>({
    text: `SELECT a.id, a.bank_code AS "bankCode", a.account_no AS "accountNo",
        json_agg(json_build_object('at', least(o.created_at + interval '1 minute', now()),
          'amountSatang', ${DUE}) ORDER BY o.created_at) AS movements
      FROM receiving_account a JOIN orders o ON o.receiving_account_id = a.id AND o.status = 'waiting_payment'
      GROUP BY a.id ORDER BY a.id`,
  })
  await mkdir(folder, { recursive: true })
  return Promise.all(
    accounts.map(async account => {
      const { header, row } = FILES[account.bankCode] ?? FILES['014']!
      let balanceSatang = await findBalance(db, account.id)
      const rows = account.movements.map(({ at, amountSatang }) => {
        balanceSatang += amountSatang
        return row(account, new Date(at), amountSatang, balanceSatang)
      })
      const path = join(folder, `${account.bankCode}-${account.accountNo}.csv`)
      await writeFile(path, `\uFEFF${[...header, ...rows].join('\r\n')}\r\n`)
      return path
    }),
  )
}

if (import.meta.main) {
  const db = openDatabase(await mustAnswer(), { connections: 1 })
  try {
    const folder = join(process.env.LOCAL_DIR ?? join(projectRoot, '.local'), 'statements')
    const paths = await writeFiles(db, folder)
    console.log(paths.length > 0 ? paths.join('\n') : 'No order waits for a transfer: make one first.')
  } finally {
    await db.close()
  }
}
