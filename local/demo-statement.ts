// Bank statements of the demo shop's past. Run as a program, it writes bank files that pay the orders which wait now.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toDecimalText } from '@shop/shared/money.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import { addSeconds, bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { type Database, openDatabase, type Sql } from 'functions/src/database/database.ts'
import { matchLines } from 'functions/src/statement/matching.ts'
import { addNew } from 'functions/src/statement/take-in.ts'
import { projectRoot } from './os-process.ts'

interface Movement {
  accountId: number
  at: Date
  amountSatang: number
}

const OPENING_SATANG = 10_000_000
const payers = [
  { name: 'นาย สมชาย ใจดี', bank: 'SCB', code: '014', account: 'x4321' },
  { name: 'น.ส. มะลิ ทองคำ', bank: 'BBL', code: '002', account: 'x8765' },
  { name: 'นาง วรรณา สุขใจ', bank: 'KTB', code: '006', account: 'x1122' },
  { name: 'นาย ก้อง เกียรติ', bank: 'KBANK', code: '004', account: 'x3344' },
] as const
const payerOf = (index: number) => payers[index % payers.length]!

/** What the banks saw of past orders and top-ups: some are paid twice, some with a rounded amount, some not at all. */
async function pastMovements(db: Sql): Promise<Movement[]> {
  const booked = await db.query<Movement & { status: string }>({
    text: `SELECT receiving_account_id AS "accountId", created_at AS at, price_satang + tail_satang AS "amountSatang", status
      FROM orders WHERE payment = 'bank' ORDER BY created_at`,
  })
  const topUps = await db.query<Movement>({
    text: `SELECT receiving_account_id AS "accountId", created_at AS at, amount_satang AS "amountSatang"
      FROM top_up WHERE receiving_account_id IS NOT NULL`,
  })
  const ofOrders = booked.flatMap(({ status, at, ...order }, index): Movement[] => {
    const paid = { ...order, at: addSeconds(at, 100) }
    if (status === 'expired') return [{ ...paid, amountSatang: paid.amountSatang - (paid.amountSatang % 100) }]
    if (status === 'cancel') return index % 2 === 0 ? [paid] : []
    if (index % 23 === 0) return []
    return index % 41 === 0 ? [paid, { ...paid, at: addSeconds(at, 170) }] : [paid]
  })
  const withdrawn = booked
    .filter((_, index) => index % 60 === 0)
    .map(({ accountId, at }) => ({ accountId, at: addSeconds(at, 4000), amountSatang: -500_000 }))
  const ofTopUps = topUps.map(topUp => ({ ...topUp, at: addSeconds(topUp.at, -300) }))
  return [...ofOrders, ...ofTopUps, ...withdrawn].sort((a, b) => Number(a.at) - Number(b.at))
}

/** Imports the statements of the past and matches them as the shop does. */
export async function insertDemoStatement(db: Database): Promise<void> {
  const now = new Date()
  const movements = (await pastMovements(db)).filter(({ at }) => at < now)
  for (const accountId of new Set(movements.map(movement => movement.accountId))) {
    const told = toldLines(movements.filter(movement => movement.accountId === accountId))
    await db.transaction(tx =>
      addNew(tx, told, { receivingAccountId: accountId, source: { fileId: null, feedKeyId: null }, now }),
    )
  }
  await matchLines({ db, now: () => now })
}

function toldLines(movements: readonly Movement[]) {
  let balanceSatang = OPENING_SATANG
  const facts = movements.map(({ at, amountSatang }, index) => {
    balanceSatang += amountSatang
    const { name, bank, code, account } = payerOf(index)
    const from =
      amountSatang < 0
        ? { detail: 'โอนไป บจก. คราม เติมเกม', fromBank: null, fromAccount: null }
        : { detail: `จาก ${bank} ${account.toUpperCase()} ${name}`, fromBank: code, fromAccount: account }
    const time = formatDateTimeSeconds(at).slice(11, 16)
    return {
      ...from,
      date: bangkokDay(at),
      time,
      amountSatang,
      balanceSatang,
      channel: 'Internet/Mobile',
      reference: null,
    }
  })
  const keys = lineKeys(facts)
  return facts.map(({ date, ...fact }, index) => ({ ...fact, day: date, key: keys[index]! }))
}

interface FileAccount {
  id: number
  bankCode: string
  accountNo: string
  balanceSatang: number
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
        coalesce((SELECT l.balance_satang FROM statement_line l WHERE l.receiving_account_id = a.id AND l.balance_satang IS NOT NULL AND l.state <> 'void'
          ORDER BY l.day DESC, l.at DESC NULLS LAST, l.no DESC LIMIT 1), ${OPENING_SATANG})::bigint AS "balanceSatang",
        json_agg(json_build_object('at', least(o.created_at + interval '1 minute', now()),
          'amountSatang', o.price_satang + o.tail_satang) ORDER BY o.created_at) AS movements
      FROM receiving_account a JOIN orders o ON o.receiving_account_id = a.id AND o.status = 'waiting_payment'
      GROUP BY a.id ORDER BY a.id`,
  })
  await mkdir(folder, { recursive: true })
  return Promise.all(
    accounts.map(async account => {
      const { header, row } = FILES[account.bankCode] ?? FILES['014']!
      let balanceSatang = account.balanceSatang
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
  const db = openDatabase(process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:54329/shop', { connections: 1 })
  try {
    const folder = join(process.env.LOCAL_DIR ?? join(projectRoot, '.local'), 'statements')
    const paths = await writeFiles(db, folder)
    console.log(paths.length > 0 ? paths.join('\n') : 'No order waits for a transfer: make one first.')
  } finally {
    await db.close()
  }
}
