import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { LINE_STATE, LINE_STATES } from '@shop/shared/statement/statement.ts'
import { OF_ORDERS } from '../agent/store.ts'
import { SALE_BREACHES } from '../dashboard/sale-day.ts'
import { listSql } from '../database/columns.ts'
import { CHECKING, type Queries } from '../database/database.ts'
import { dayOf } from '../database/days.ts'
import type { Reports } from '../database/reports.ts'
import { DUE, WORTH } from '../transfer/order-money.ts'

/** A rule that must hold, and the query that finds breaches: one row with the text `what` for each. */
interface Invariant {
  name: string
  breaches: string
}

/** When there are more breaches, only this many are shown. */
const SHOWN = 20

/** Returns as SQL the statuses of orders whose money is held or returned. */
const listed = (money: 'held' | 'returned') =>
  listSql(ORDER_STATUSES.filter(status => ORDER_STATUS[status].money === money))

const BOOKED = listSql(LINE_STATES.filter(state => LINE_STATE[state].isBooked))

/** SQL conditions for the accounts on which money comes in, and for those on which it stands as earned or owed. */
const CAME_IN = `(account LIKE 'bank:%' OR account LIKE 'gateway:%' OR account = 'suspense')`
const WENT_OUT = `account IN ('sales', 'refunds', 'differences', 'fees', 'held')`

const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every transaction has entries that sum to zero, at its own moment',
    breaches: `WITH made AS (
        SELECT transaction_id, count(*) AS lines, sum(amount_satang) AS sum, min(at) AS first, max(at) AS last
        FROM ledger_entry GROUP BY transaction_id
      )
      SELECT format('transaction %s (%s): %s entries, sum %s satang', t.id, t.kind, coalesce(m.lines, 0), coalesce(m.sum, 0)) AS what
      FROM ledger_transaction t LEFT JOIN made m ON m.transaction_id = t.id
      WHERE m.lines IS NULL OR m.lines < 2 OR m.sum <> 0 OR m.first <> t.at OR m.last <> t.at`,
  },
  {
    name: 'every wallet balance is what its entries add up to',
    breaches: `SELECT format('wallet %s: balance %s, entries %s satang', coalesce(w.id::text, m.account),
          coalesce(w.balance_satang::text, 'none'), coalesce(m.sum, 0)) AS what
      FROM wallet w FULL JOIN (
        SELECT account, sum(amount_satang) AS sum FROM ledger_entry WHERE account LIKE 'wallet:%' GROUP BY account
      ) m ON m.account = 'wallet:' || w.id
      WHERE w.id IS NULL OR w.balance_satang <> coalesce(m.sum, 0)`,
  },
  {
    name: 'every shop credit is what its entries add up to, and not below zero',
    breaches: `SELECT format('credit %s: balance %s, entries %s satang', coalesce(c.id::text, m.account),
          coalesce(c.balance_satang::text, 'none'), coalesce(m.sum, 0)) AS what
      FROM credit c FULL JOIN (
        SELECT account, sum(amount_satang) AS sum FROM ledger_entry WHERE account LIKE 'credit:%' GROUP BY account
      ) m ON m.account = 'credit:' || c.id
      WHERE c.id IS NULL OR c.balance_satang <> coalesce(m.sum, 0) OR c.balance_satang < 0`,
  },
  {
    name: 'the credit of every unpaid order is put aside, and of no other',
    breaches: `WITH held AS (
        SELECT t.subject_id AS id, sum(e.amount_satang) AS sum FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
        WHERE e.account = 'held' GROUP BY 1
      )
      SELECT format('order %s (%s): %s held, expected %s satang', coalesce(o.order_no, h.id::text), o.status, coalesce(h.sum, 0), o.credit_satang) AS what
      FROM (SELECT * FROM orders WHERE credit_satang > 0) o FULL JOIN held h USING (id)
      WHERE coalesce(h.sum, 0) <> CASE o.status WHEN 'waiting_payment' THEN o.credit_satang ELSE 0 END`,
  },
  {
    name: 'no wallet is below zero',
    breaches: `SELECT format('wallet %s: %s satang', id, balance_satang) AS what FROM wallet WHERE balance_satang < 0`,
  },
  {
    name: 'every paid order is posted with its amount, every refunded one back, and no other moved money',
    breaches: `WITH moved AS (
        SELECT t.subject_id, sum(e.amount_satang) FILTER (WHERE e.account = 'sales') AS sales,
          sum(e.amount_satang) FILTER (WHERE e.account = 'refunds') AS refunds,
          sum(e.amount_satang) FILTER (WHERE e.account LIKE 'wallet:%') AS wallet,
          min(e.account COLLATE "C") FILTER (WHERE e.account LIKE 'wallet:%') AS lowest,
          max(e.account COLLATE "C") FILTER (WHERE e.account LIKE 'wallet:%') AS highest
        FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
        WHERE t.kind IN ${OF_ORDERS} GROUP BY t.subject_id
      ), expected AS (
        SELECT o.id, o.order_no, o.status, o.payment, 'wallet:' || o.wallet_id AS account,
          CASE WHEN o.status IN (${listed('held')}) THEN ${WORTH} ELSE 0 END AS sales,
          -- Of a transfer that was too small, what came is given back.
          CASE WHEN o.status IN (${listed('returned')}) AND o.payment NOT IN ('wallet', 'credit')
            THEN least(${DUE}, l.amount_satang) ELSE 0 END AS refunds
        FROM orders o LEFT JOIN statement_line l ON l.order_id = o.id
      )
      SELECT format('order %s (%s, %s): sales %s, refunds %s, wallet %s; expected %s, %s, %s satang',
          coalesce(x.order_no, m.subject_id::text), coalesce(x.payment, 'unknown'), coalesce(x.status, 'unknown'),
          coalesce(m.sales, 0), coalesce(m.refunds, 0), coalesce(m.wallet, 0), x.sales, x.refunds,
          CASE x.payment WHEN 'wallet' THEN -x.sales ELSE 0 END) AS what
      FROM expected x FULL JOIN moved m ON m.subject_id = x.id
      WHERE x.id IS NULL OR coalesce(m.sales, 0) <> x.sales OR coalesce(m.refunds, 0) <> x.refunds
        OR (x.payment = 'wallet' AND coalesce(m.wallet, 0) <> -x.sales)
        OR (m.lowest IS NOT NULL AND (x.account IS NULL OR m.lowest <> x.account OR m.highest <> x.account))`,
  },
  {
    name: 'an order waits for its refund exactly until that was sent',
    breaches: `SELECT format('order %s is %s, its refund %s', o.order_no, o.status,
          CASE WHEN f.id IS NULL THEN 'missing' WHEN f.sent_at IS NULL THEN 'not sent' ELSE 'sent' END) AS what
      FROM orders o LEFT JOIN owed_refund f ON f.order_id = o.id AND f.line_id IS NULL AND f.charge_id IS NULL AND f.from_credit_id IS NULL
      WHERE o.status IN (${listed('returned')}) AND o.payment NOT IN ('wallet', 'credit')
        AND (f.id IS NULL OR (o.status = 'refunding') <> (f.sent_at IS NULL))`,
  },
  {
    name: 'every approved top-up is posted to its wallet, every corrected one taken back, and no other moved money',
    breaches: `WITH moved AS (
        SELECT t.subject_id, sum(e.amount_satang) FILTER (WHERE t.kind = 'top_up') AS credited,
          sum(e.amount_satang) FILTER (WHERE t.reverses_id IS NOT NULL) AS taken,
          min(e.account COLLATE "C") AS lowest, max(e.account COLLATE "C") AS highest
        FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
        WHERE t.kind IN ('top_up', 'correction') AND e.account LIKE 'wallet:%' GROUP BY t.subject_id
      ), expected AS (
        SELECT u.id, u.no, u.status, 'wallet:' || u.wallet_id AS account,
          CASE WHEN u.status = 'approve' THEN u.amount_satang ELSE 0 END AS credited,
          CASE WHEN u.corrected_at IS NULL THEN 0 ELSE -u.amount_satang END AS taken
        FROM top_up u
      )
      SELECT format('top-up %s (%s): credited %s, taken back %s; expected %s, %s satang',
          coalesce(x.no, m.subject_id::text), coalesce(x.status, 'unknown'), coalesce(m.credited, 0), coalesce(m.taken, 0),
          x.credited, x.taken) AS what
      FROM expected x FULL JOIN moved m ON m.subject_id = x.id
      WHERE (x.id IS NULL AND m.credited IS NOT NULL) OR coalesce(m.credited, 0) <> x.credited OR coalesce(m.taken, 0) <> x.taken
        OR (x.id IS NOT NULL AND m.lowest IS NOT NULL AND (m.lowest <> x.account OR m.highest <> x.account))`,
  },
  {
    name: 'every reversal is the exact opposite of what it reverses, a refund of what was sold',
    breaches: `WITH pair AS (
        SELECT id AS reversal, kind, id AS part FROM ledger_transaction WHERE reverses_id IS NOT NULL
        UNION ALL SELECT id, kind, reverses_id FROM ledger_transaction WHERE reverses_id IS NOT NULL
      )
      SELECT format('reversal %s leaves %s satang at %s', p.reversal, sum(e.amount_satang), e.account) AS what
      FROM pair p JOIN ledger_entry e ON e.transaction_id = p.part
      WHERE p.kind <> 'order_refunded' OR e.account = 'sales'
      GROUP BY p.reversal, e.account HAVING sum(e.amount_satang) <> 0`,
  },
  {
    name: 'every refund names the sale of its own order',
    breaches: `SELECT format('refund %s of order %s names %s', r.id, r.subject_id, coalesce(r.reverses_id::text, 'nothing')) AS what
      FROM ledger_transaction r LEFT JOIN ledger_transaction s ON s.id = r.reverses_id
      WHERE r.kind = 'order_refunded' AND (s.id IS NULL OR s.kind <> 'order_paid' OR s.subject_id <> r.subject_id)`,
  },
  {
    name: 'every decided statement line stands on its account with its amount, once, and no other moved money',
    breaches: `WITH named AS (
        SELECT l.id AS line_id, t.id FROM statement_line l JOIN ledger_transaction t ON t.subject_id = l.id
        UNION ALL SELECT l.id, t.id FROM statement_line l JOIN ledger_transaction t ON t.subject_id = l.order_id
          WHERE t.kind IN ('order_paid', 'order_payment_undone')
        UNION ALL SELECT l.id, t.id FROM statement_line l JOIN ledger_transaction t ON t.subject_id = l.top_up_id
      ), stands AS (
        -- What a gateway keeps of its payout leaves its account as well, so the two together are the line's amount.
        SELECT n.line_id, CASE WHEN l.state = 'payout' AND (e.account = 'fees' OR e.account LIKE 'gateway:%') THEN 'gateway'
          ELSE e.account END AS account, sum(e.amount_satang) AS sum
        FROM named n JOIN ledger_entry e ON e.transaction_id = n.id JOIN statement_line l ON l.id = n.line_id
        WHERE e.account LIKE 'bank:%' OR e.account = 'suspense' OR num_nonnulls(l.order_id, l.top_up_id) = 0
        GROUP BY 1, 2
      ), expected AS (
        -- The money of a top-up is posted when that is approved.
        SELECT l.id AS line_id, 'bank:' || l.receiving_account_id AS account, -l.amount_satang AS sum
        FROM statement_line l LEFT JOIN top_up u ON u.id = l.top_up_id
        WHERE l.state IN (${BOOKED}) AND u.status IS DISTINCT FROM 'waiting_approve'
        UNION ALL SELECT id, 'wallet:' || wallet_id, amount_satang FROM statement_line WHERE state = 'credited'
        UNION ALL SELECT id, 'refunds', amount_satang FROM statement_line WHERE state = 'owed'
        UNION ALL SELECT id, 'gateway', amount_satang FROM statement_line WHERE state = 'payout'
      )
      SELECT format('line %s (%s): %s at %s; expected %s satang', l.no, l.state, coalesce(s.sum, 0), account, coalesce(x.sum, 0)) AS what
      FROM stands s FULL JOIN expected x USING (line_id, account) JOIN statement_line l ON l.id = line_id
      WHERE coalesce(s.sum, 0) <> coalesce(x.sum, 0)
      UNION ALL SELECT format('transaction %s (%s) is of no line', t.id, t.kind) FROM ledger_transaction t
      WHERE t.kind IN ('line_booked', 'line_undone') AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.id = t.subject_id)`,
  },
  {
    name: 'no bank transfer paid two things by its slip',
    breaches: `WITH paid AS (
        SELECT id, order_no AS no, slip_id FROM orders WHERE paid_at IS NOT NULL AND slip_id IS NOT NULL
        UNION ALL SELECT id, no, slip_id FROM top_up WHERE status = 'approve' AND corrected_at IS NULL AND slip_id IS NOT NULL
      )
      SELECT format('%s: the transfer %s %s paid %s', p.no, s.sending_bank, s.bank_reference, coalesce(t.subject_id::text, 'nothing')) AS what
      FROM paid p JOIN slip s ON s.id = p.slip_id LEFT JOIN used_transfer t USING (sending_bank, bank_reference)
      WHERE s.bank_reference IS NOT NULL AND t.subject_id IS DISTINCT FROM p.id
        -- What the bank's own line shows is paid by that.
        AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.order_id = p.id OR l.top_up_id = p.id)`,
  },
  {
    name: 'whatever has money of a bank has the transfer that brought it, and each line that is booked is of one',
    breaches: `WITH has AS (
        SELECT o.id, o.order_no AS no, (SELECT l.id FROM statement_line l WHERE l.order_id = o.id) AS line_id
        FROM orders o WHERE o.payment = 'bank' AND o.paid_at IS NOT NULL
        UNION ALL SELECT u.id, u.no, (SELECT l.id FROM statement_line l WHERE l.top_up_id = u.id)
        FROM top_up u WHERE (u.payment = 'bank' AND u.status = 'approve' AND u.corrected_at IS NULL) OR EXISTS (SELECT 1 FROM statement_line l WHERE l.top_up_id = u.id)
        UNION ALL SELECT l.id, l.no::text, l.id FROM statement_line l WHERE l.state IN ('credited', 'owed', 'payout')
      )
      SELECT format('%s: transfer %s, its line %s', coalesce(h.no, t.subject_id::text), t.subject_id, h.line_id) AS what
      FROM has h FULL JOIN used_transfer t ON t.subject_id = h.id
      WHERE h.id IS NULL OR t.subject_id IS NULL OR t.line_id IS DISTINCT FROM h.line_id`,
  },
  {
    name: 'a statement line matched to a top-up that waits for approval has its amount, and nothing is posted for it',
    breaches: `SELECT format('line %s: %s satang, top-up %s: %s satang, %s transactions', l.no, l.amount_satang, u.no, u.amount_satang,
          count(t.id)) AS what
      FROM statement_line l JOIN top_up u ON u.id = l.top_up_id
      LEFT JOIN ledger_transaction t ON t.subject_id = u.id
      WHERE u.status = 'waiting_approve' GROUP BY l.id, u.id
      HAVING l.state <> 'matched' OR l.amount_satang <> u.amount_satang OR count(t.id) > 0`,
  },
  {
    name: 'every paid charge stands at its gateway with its money less its fee, once, and nothing else does',
    breaches: `WITH stands AS (
        SELECT coalesce(c.order_id, c.top_up_id, t.subject_id) AS owner_id, e.account, sum(e.amount_satang) AS sum
        FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id LEFT JOIN charge c ON c.id = t.subject_id
        -- Payouts are of lines.
        WHERE e.account LIKE 'gateway:%' AND t.kind NOT IN ('line_booked', 'line_undone') GROUP BY 1, 2
      ), expected AS (
        SELECT coalesce(order_id, top_up_id) AS owner_id, 'gateway:' || gateway AS account, sum(coalesce(fee_satang, 0) - amount_satang) AS sum
        FROM charge WHERE state = 'paid' GROUP BY 1, 2
      )
      SELECT format('charges of %s: %s at %s; expected %s satang', owner_id, coalesce(s.sum, 0), account, coalesce(x.sum, 0)) AS what
      FROM stands s FULL JOIN expected x USING (owner_id, account) WHERE coalesce(s.sum, 0) <> coalesce(x.sum, 0)`,
  },
  {
    name: 'a top-up through the gateway is approved exactly when one paid charge brought its money, and by no person',
    breaches: `SELECT format('top-up %s (%s): %s paid charges, decided by %s', u.no, u.status, count(c.id), coalesce(u.decided_by, 'nobody')) AS what
      FROM top_up u LEFT JOIN charge c ON c.top_up_id = u.id AND c.state = 'paid'
      WHERE u.payment <> 'bank' GROUP BY u.id
      HAVING count(c.id) <> (u.status = 'approve')::int OR (u.status = 'approve' AND u.decided_by IS NOT NULL)`,
  },
  {
    name: 'what is kept of what gateways held at the end of a day is what their entries add up to until then',
    breaches: `WITH moved AS (
        SELECT account, ${dayOf('at')} AS day, -sum(amount_satang) AS sum FROM ledger_entry WHERE account LIKE 'gateway:%' GROUP BY 1, 2
      ), held AS (
        SELECT g.gateway, g.day, g.held_satang, coalesce(sum(m.sum), 0) AS sum
        FROM gateway_held g LEFT JOIN moved m ON m.account = 'gateway:' || g.gateway AND m.day <= g.day GROUP BY g.gateway, g.day
      )
      SELECT format('%s at the end of %s: %s kept, entries %s satang', gateway, day, held_satang, sum) AS what
      FROM held WHERE held_satang <> sum`,
  },
  {
    name: 'what is owed back, and nothing else, stands in refunds until it is sent',
    breaches: `WITH held AS (
        SELECT t.subject_id, sum(e.amount_satang) AS sum FROM ledger_entry e JOIN ledger_transaction t ON t.id = e.transaction_id
        WHERE e.account = 'refunds' GROUP BY t.subject_id
      ), moved AS (
        SELECT CASE WHEN from_credit_id IS NULL THEN coalesce(line_id, charge_id, order_id) ELSE id END AS subject_id,
          sum(amount_satang) AS sum FROM owed_refund WHERE undone_at IS NULL GROUP BY 1
        UNION ALL SELECT id, -amount_satang FROM owed_refund WHERE sent_at IS NOT NULL
      ), owed AS (SELECT subject_id, sum(sum) AS sum FROM moved GROUP BY subject_id)
      SELECT format('refunds of %s: %s, owed %s satang', subject_id, coalesce(h.sum, 0), coalesce(f.sum, 0)) AS what
      FROM held h FULL JOIN owed f USING (subject_id) WHERE coalesce(h.sum, 0) <> coalesce(f.sum, 0)`,
  },
  {
    name: 'money in = money out + balances',
    breaches: `SELECT format('in %s, out %s, balances %s satang', came_in, went_out, balances) AS what
      FROM (SELECT
        (SELECT coalesce(-sum(amount_satang), 0) FROM ledger_entry WHERE ${CAME_IN}) AS came_in,
        (SELECT coalesce(sum(amount_satang), 0) FROM ledger_entry WHERE ${WENT_OUT}) AS went_out,
        (SELECT coalesce(sum(balance_satang), 0) FROM wallet) + (SELECT coalesce(sum(balance_satang), 0) FROM credit) AS balances) AS flow
      WHERE came_in <> went_out + balances`,
  },
  { name: 'what every day is said to have sold is what its orders add up to', breaches: SALE_BREACHES },
]

export interface LedgerReport {
  /** Empty when the books are right. */
  breaches: { invariant: string; what: string }[]
  entries: number
  inSatang: Satang
  outSatang: Satang
  balancesSatang: Satang
  /** Money on statement lines of top-ups that wait for approval: it has come, but is not in the books yet. */
  waitingSatang: Satang
}

/** Checks every invariant on one snapshot, so that it can run while the shop works. */
export async function checkLedger(db: Pick<Reports, 'transaction'>): Promise<LedgerReport> {
  return db.transaction(async tx => {
    await tx.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' })
    // With this setting sums over millions of entries stay in memory instead of temporary files.
    await tx.query({ text: `SET LOCAL work_mem = '256MB'` })
    const breaches: LedgerReport['breaches'] = []
    for (const { name, breaches: text } of INVARIANTS) {
      const rows = await tx.query<{ what: string }>({ text: `${text} LIMIT ${SHOWN}` })
      breaches.push(...rows.map(row => ({ invariant: name, what: row.what })))
    }
    return { breaches, ...(await findTotals(tx)) }
  }, CHECKING)
}

async function findTotals(tx: Queries): Promise<Omit<LedgerReport, 'breaches'>> {
  const [row] = await tx.query<Omit<LedgerReport, 'breaches'>>({
    text: `SELECT count(*)::bigint AS entries,
        coalesce(-sum(amount_satang) FILTER (WHERE ${CAME_IN}), 0)::bigint AS "inSatang",
        coalesce(sum(amount_satang) FILTER (WHERE ${WENT_OUT}), 0)::bigint AS "outSatang",
        coalesce(sum(amount_satang) FILTER (WHERE account LIKE 'wallet:%' OR account LIKE 'credit:%'), 0)::bigint AS "balancesSatang",
        (SELECT coalesce(sum(l.amount_satang), 0)::bigint FROM statement_line l JOIN top_up u ON u.id = l.top_up_id
          WHERE u.status = 'waiting_approve') AS "waitingSatang"
      FROM ledger_entry`,
  })
  return row!
}

/** Returns the report for people: one line per invariant, then its breaches. */
export function describeReport({ breaches, entries, ...sums }: LedgerReport): string {
  const lines = INVARIANTS.flatMap(({ name }) => {
    const found = breaches.filter(breach => breach.invariant === name)
    return [`${found.length === 0 ? 'holds ' : 'BROKEN'}  ${name}`, ...found.map(({ what }) => `          ${what}`)]
  })
  const { inSatang, outSatang, balancesSatang, waitingSatang } = sums
  const [moneyIn, moneyOut, balances, waiting] = [inSatang, outSatang, balancesSatang, waitingSatang].map(formatBaht)
  const told = `in ${moneyIn}, out ${moneyOut}, on wallets and shop credit ${balances} baht; ${waiting} baht came for top-ups to approve`
  return [...lines, `${entries} entries: ${told}`].join('\n')
}
