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
    payerHash: null,
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
  of: { receivingAccountId: number; count: number; createdAt: Date; priceSatang?: number },
): Promise<number[]> {
  const rows = await db.query<{ amountSatang: number }>({
    text: `WITH made AS (
        SELECT gen_random_uuid() AS id, n, $4::bigint + (n / 99) * 100 AS price, 1 + n % 99 AS tail, 'g:bulk ' || n AS buyer
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
    values: [of.receivingAccountId, of.count, of.createdAt, of.priceSatang ?? 10_000],
  })
  return rows.map(({ amountSatang }) => amountSatang)
}

/**
 * Orders that are over in every way: paid with a slip at a moment, shown by their lines, and bought at a supplier. Their
 * numbers are the next ones of November 2026.
 */
export async function addSettledOrders(
  db: Sql,
  of: { receivingAccountId: number; count: number; at: Date },
): Promise<void> {
  await db.query({
    text: `WITH made AS (
        SELECT gen_random_uuid() AS id, gen_random_uuid() AS slip_id, gen_random_uuid() AS line_id, n
        FROM (SELECT count(*) AS had FROM orders) known, generate_series(had + 1, had + $2::int) n
      ), shown AS (
        INSERT INTO slip (id, uploader_key, file_key, width, height, byte_size, used_for, created_at)
        SELECT slip_id, 'g:settled', 'settled ' || n, 1, 1, 1, id, $3 FROM made
      ), placed AS (
        INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, game_id, package_id, player_id, snapshot,
          payment, quantity, price_satang, tail_satang, receiving_account_id, slip_id, created_at, paid_at, queue_no, ended_at)
        SELECT m.id, 'KT2611-' || lpad(n::text, 8, '0'), 'settled ' || n, 'success', 3, 'g:settled ' || n, p.game_id, p.id,
          'settled ' || n, '{"gameName":"Settled","gamePicture":"","packageName":"Settled","fields":[]}', 'bank', 1, 10000,
          1 + n % 99, $1, slip_id, $3::timestamptz, $3::timestamptz, nextval('order_queue_no'), $3::timestamptz
        FROM made m, (SELECT id, game_id FROM package ORDER BY id LIMIT 1) p
      ), explained AS (
        INSERT INTO statement_line (id, receiving_account_id, key, day, amount_satang, detail, created_at, state, version,
          tried_at, order_id)
        SELECT line_id, $1, 'settled ' || n, $3::date, 10000 + 1 + n % 99, 'settled', $3, 'matched', 2, $3, id FROM made
      ), used AS (
        INSERT INTO used_transfer (subject_id, kind, receiving_account_id, amount_satang, made_from, made_to, line_id, used_at)
        SELECT id, 'order', $1, 10000 + 1 + n % 99, $3, $3, line_id, $3 FROM made
      )
      INSERT INTO supplier_attempt (id, order_id, supplier, reference, sku, quantity, fields, max_cost_satang, state, sent_at)
      SELECT gen_random_uuid(), id, 'seagm', 'settled ' || n, 'sku', 1, '{}', 100, 'delivered', $3 FROM made`,
    values: [of.receivingAccountId, of.count, of.at],
  })
}
