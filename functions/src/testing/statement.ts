import { toDecimalText } from '@shop/shared/money.ts'
import type { LineState, LineTarget } from '@shop/shared/statement/statement.ts'
import { bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { insertLines, type NewLine } from '../statement/import-store.ts'
import { fixture } from './fixture.ts'
import type { TestShop } from './shop.ts'

let lines = 0

/** A line of money in to the minute, of a key of its own. */
export function lineOf(line: Partial<NewLine> & { amountSatang: number }): NewLine {
  const at = line.at ?? null
  return {
    key: `test ${++lines}`,
    day: at ? bangkokDay(at) : '2026-11-20',
    at,
    precisionSeconds: at && 60,
    balanceSatang: null,
    detail: '',
    fromBank: null,
    fromAccount: null,
    channel: null,
    ...line,
  }
}

/** Puts lines on a receiving account, as an import does, without matching them. */
export const addLines = (
  { db, clock }: Pick<TestShop, 'db' | 'clock'>,
  lines: readonly NewLine[],
  receivingAccountId: number = fixture.accounts.promptPay,
): Promise<number> =>
  insertLines(db, lines, {
    receivingAccountId,
    source: { fileId: null, feedKeyId: null },
    chain: 'unknown',
    now: clock.now,
  })

/** What became of each line, in the order they came. */
export const linesNow = ({ db }: Pick<TestShop, 'db'>) =>
  db.query<{ id: string; key: string; state: LineState; target: LineTarget['no'] | null; version: number }>({
    text: `SELECT l.id, l.key, l.state, coalesce(o.order_no, u.no) AS target, l.version FROM statement_line l
      LEFT JOIN orders o ON o.id = l.order_id LEFT JOIN top_up u ON u.id = l.top_up_id ORDER BY l.no`,
  })

const SCB_HEADER =
  'Account Number,Account Name,Account Type,Currency Code,Branch Code,Date,Time,Tr Code,Tr Description,Channel,Cheque No.,Withdrawal,Deposit,Outstanding Balance,Description'

export interface FileMovement {
  at: Date
  amountSatang: number
  detail?: string
}

/** A file as SCB writes it for the fixture's second account, oldest first, with the time to the minute. */
export function scbFile(movements: readonly FileMovement[], openingSatang = 1_000_000, accountNo = '9876543210'): Blob {
  let balanceSatang = openingSatang
  const rows = movements.map(({ at, amountSatang, detail = 'รับโอนจาก KBANK x1234 นาย ทดสอบ' }) => {
    balanceSatang += amountSatang
    const [day, clock] = formatDateTimeSeconds(at).slice(0, 16).split(' ')
    const text = toDecimalText(Math.abs(amountSatang))
    const [code, out, into] = amountSatang < 0 ? ['X2', text, ''] : ['X1', '', text]
    return `${accountNo},คราม,ออมทรัพย์,THB,0000,${day},${clock},${code},โอน,ENET,,${out},${into},${toDecimalText(balanceSatang)},${detail}`
  })
  return new Blob([`\ufeff${[SCB_HEADER, ...rows].join('\r\n')}\r\n`])
}

/** Orders of one account that wait for their money, each of an amount that no other has. Returns the amounts. */
export async function addWaitingOrders(
  db: Sql,
  of: { receivingAccountId: number; count: number; createdAt: Date },
): Promise<number[]> {
  const rows = await db.query<{ amountSatang: number }>({
    text: `WITH made AS (
        SELECT gen_random_uuid() AS id, n, 10000 + (n / 99) * 100 AS price, 1 + n % 99 AS tail, 'g:bulk ' || n AS buyer
        FROM generate_series(0, $2::int - 1) n
      ), placed AS (
        INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, game_id, package_id, player_id, snapshot,
          payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, expires_at, expire_after)
        SELECT m.id, 'BULK' || n, 'bulk ' || n, 'waiting_payment', 1, buyer, p.game_id, p.id, 'bulk ' || n,
          '{"gameName":"Bulk","packageName":"Bulk"}', 'bank', 1, price, tail, $1, $3::timestamptz, $3::timestamptz + interval '15 minutes', $3::timestamptz + interval '20 minutes'
        FROM made m, (SELECT id, game_id FROM package ORDER BY id LIMIT 1) p
      ), began AS (
        INSERT INTO order_event (order_id, version, kind, to_status, actor_role, at)
        SELECT id, 1, 'created', 'waiting_payment', 'guest', $3::timestamptz FROM made
      ), reserved AS (
        INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id)
        SELECT gen_random_uuid(), $1, price + tail, price, buyer, id FROM made
      )
      SELECT price + tail AS "amountSatang" FROM made ORDER BY n`,
    values: [of.receivingAccountId, of.count, of.createdAt],
  })
  return rows.map(({ amountSatang }) => amountSatang)
}
