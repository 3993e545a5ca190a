import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { ORDER_STATUS, ORDER_STATUSES } from '@shop/shared/order/status.ts'
import { LINE_STATE, LINE_STATES } from '@shop/shared/statement/statement.ts'
import { OF_ORDERS } from '../agent/store.ts'
import { SALE_BREACHES } from '../dashboard/sale-day.ts'
import { listSql } from '../database/columns.ts'
import { CHECKING, type Queries } from '../database/database.ts'
import { dayOf } from '../database/days.ts'
import type { Reports } from '../database/reports.ts'
import { as, outer, row, sql, type Text, under } from '../database/sql.ts'
import { charge, gatewayHeld } from '../gateway/tables.ts'
import { orders } from '../order/tables.ts'
import { owedRefund, statementLine } from '../statement/tables.ts'
import { DUE, WORTH } from '../transfer/order-money.ts'
import { usedTransfer } from '../transfer/tables.ts'
import { slip } from '../upload/tables.ts'
import { credit, ledgerEntry, ledgerTransaction, topUp, wallet } from './tables.ts'

const [e, t, r, reversed] = [
  under(ledgerEntry, 'e'),
  under(ledgerTransaction, 't'),
  under(ledgerTransaction, 'r'),
  under(ledgerTransaction, 's'),
]
const [w, c, u, l] = [under(wallet, 'w'), under(credit, 'c'), under(topUp, 'u'), under(statementLine, 'l')]
const [o, f, paid, g] = [under(orders, 'o'), under(owedRefund, 'f'), under(charge, 'c'), under(gatewayHeld, 'g')]
const [s, used] = [under(slip, 's'), under(usedTransfer, 't')]
/** The same after LEFT JOIN. */
const left = {
  t: outer(ledgerTransaction, 't'),
  reversed: outer(ledgerTransaction, 's'),
  u: outer(topUp, 'u'),
  l: outer(statementLine, 'l'),
  f: outer(owedRefund, 'f'),
  paid: outer(charge, 'c'),
  used: outer(usedTransfer, 't'),
}
/** Where names stand alone. */
const [entry, transaction, purse, credits] = [
  under(ledgerEntry),
  under(ledgerTransaction),
  under(wallet),
  under(credit),
]
const [order, toppedUp, line, owed, charged] = [
  under(orders),
  under(topUp),
  under(statementLine),
  under(owedRefund),
  under(charge),
]

/** A rule that must hold, and the query that finds breaches: one row with the text `what` for each. */
interface Invariant {
  name: string
  breaches: Text<{ what: string }>
}

/** When there are more breaches, only this many are shown. */
const SHOWN = 20

/** Returns as SQL the statuses of orders whose money is held or returned. */
const listed = (money: 'held' | 'returned') =>
  listSql(ORDER_STATUSES.filter(status => ORDER_STATUS[status].money === money))

const BOOKED = listSql(LINE_STATES.filter(state => LINE_STATE[state].isBooked))

/** SQL conditions for the accounts on which money comes in, and for those on which it stands as earned or owed. */
const CAME_IN = `(${entry.account} LIKE 'bank:%' OR ${entry.account} LIKE 'gateway:%' OR ${entry.account} = 'suspense')`
const WENT_OUT = `${entry.account} IN ('sales', 'refunds', 'differences', 'fees', 'held')`

/** Says what is wrong, as `format` does. */
const what = (told: string) => row({ what: as.text(`format(${told})`) })

const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every transaction has entries that sum to zero, at its own moment',
    breaches: sql`WITH made AS (
        SELECT ${entry.transactionId}, count(*) AS lines, sum(${entry.amountSatang}) AS sum, min(${entry.at}) AS first, max(${entry.at}) AS last
        FROM ${entry} GROUP BY ${entry.transactionId}
      )
      SELECT ${what(`'transaction %s (%s): %s entries, sum %s satang', ${t.id}, ${t.kind}, coalesce(m.lines, 0), coalesce(m.sum, 0)`)}
      FROM ${t} LEFT JOIN made m ON m.transaction_id = ${t.id}
      WHERE m.lines IS NULL OR m.lines < 2 OR m.sum <> 0 OR m.first <> ${t.at} OR m.last <> ${t.at}`,
  },
  {
    name: 'every wallet balance is what its entries add up to',
    breaches: sql`SELECT ${what(`'wallet %s: balance %s, entries %s satang', coalesce(${w.id}::text, m.account),
          coalesce(${w.balanceSatang}::text, 'none'), coalesce(m.sum, 0)`)}
      FROM ${w} FULL JOIN (
        SELECT ${entry.account}, sum(${entry.amountSatang}) AS sum FROM ${entry} WHERE ${entry.account} LIKE 'wallet:%' GROUP BY ${entry.account}
      ) m ON m.account = 'wallet:' || ${w.id}
      WHERE ${w.id} IS NULL OR ${w.balanceSatang} <> coalesce(m.sum, 0)`,
  },
  {
    name: 'every shop credit is what its entries add up to, and not below zero',
    breaches: sql`SELECT ${what(`'credit %s: balance %s, entries %s satang', coalesce(${c.id}::text, m.account),
          coalesce(${c.balanceSatang}::text, 'none'), coalesce(m.sum, 0)`)}
      FROM ${c} FULL JOIN (
        SELECT ${entry.account}, sum(${entry.amountSatang}) AS sum FROM ${entry} WHERE ${entry.account} LIKE 'credit:%' GROUP BY ${entry.account}
      ) m ON m.account = 'credit:' || ${c.id}
      WHERE ${c.id} IS NULL OR ${c.balanceSatang} <> coalesce(m.sum, 0) OR ${c.balanceSatang} < 0`,
  },
  {
    name: 'the credit of every unpaid order is put aside, and of no other',
    breaches: sql`WITH held AS (
        SELECT ${t.subjectId} AS id, sum(${e.amountSatang}) AS sum FROM ${e} JOIN ${t} ON ${t.id} = ${e.transactionId}
        WHERE ${e.account} = 'held' GROUP BY 1
      )
      SELECT ${what(`'order %s (%s): %s held, expected %s satang', coalesce(${o.orderNo}, h.id::text), ${o.status}, coalesce(h.sum, 0), ${o.creditSatang}`)}
      FROM (SELECT * FROM ${order} WHERE ${order.creditSatang} > 0) o FULL JOIN held h USING (id)
      WHERE coalesce(h.sum, 0) <> CASE ${o.status} WHEN 'waiting_payment' THEN ${o.creditSatang} ELSE 0 END`,
  },
  {
    name: 'no wallet is below zero',
    breaches: sql`SELECT ${what(`'wallet %s: %s satang', ${purse.id}, ${purse.balanceSatang}`)} FROM ${purse} WHERE ${purse.balanceSatang} < 0`,
  },
  {
    name: 'every paid order is posted with its amount, every refunded one back, and no other moved money',
    breaches: sql`WITH moved AS (
        SELECT ${t.subjectId}, sum(${e.amountSatang}) FILTER (WHERE ${e.account} = 'sales') AS sales,
          sum(${e.amountSatang}) FILTER (WHERE ${e.account} = 'refunds') AS refunds,
          sum(${e.amountSatang}) FILTER (WHERE ${e.account} LIKE 'wallet:%') AS wallet,
          min(${e.account} COLLATE "C") FILTER (WHERE ${e.account} LIKE 'wallet:%') AS lowest,
          max(${e.account} COLLATE "C") FILTER (WHERE ${e.account} LIKE 'wallet:%') AS highest
        FROM ${t} JOIN ${e} ON ${e.transactionId} = ${t.id}
        WHERE ${t.kind} IN ${OF_ORDERS} GROUP BY ${t.subjectId}
      ), expected AS (
        SELECT ${o.id}, ${o.orderNo}, ${o.status}, ${o.payment}, 'wallet:' || ${o.walletId} AS account,
          CASE WHEN ${o.status} IN (${listed('held')}) THEN ${WORTH} ELSE 0 END AS sales,
          -- Of a transfer that was too small, what came is given back.
          CASE WHEN ${o.status} IN (${listed('returned')}) AND ${o.payment} NOT IN ('wallet', 'credit')
            THEN least(${DUE}, ${l.amountSatang}) ELSE 0 END AS refunds
        FROM ${o} LEFT JOIN ${left.l} ON ${l.orderId} = ${o.id}
      )
      SELECT ${what(`'order %s (%s, %s): sales %s, refunds %s, wallet %s; expected %s, %s, %s satang',
          coalesce(x.order_no, m.subject_id::text), coalesce(x.payment, 'unknown'), coalesce(x.status, 'unknown'),
          coalesce(m.sales, 0), coalesce(m.refunds, 0), coalesce(m.wallet, 0), x.sales, x.refunds,
          CASE x.payment WHEN 'wallet' THEN -x.sales ELSE 0 END`)}
      FROM expected x FULL JOIN moved m ON m.subject_id = x.id
      WHERE x.id IS NULL OR coalesce(m.sales, 0) <> x.sales OR coalesce(m.refunds, 0) <> x.refunds
        OR (x.payment = 'wallet' AND coalesce(m.wallet, 0) <> -x.sales)
        OR (m.lowest IS NOT NULL AND (x.account IS NULL OR m.lowest <> x.account OR m.highest <> x.account))`,
  },
  {
    name: 'an order waits for its refund exactly until that was sent',
    breaches: sql`SELECT ${what(`'order %s is %s, its refund %s', ${o.orderNo}, ${o.status},
          CASE WHEN ${f.id} IS NULL THEN 'missing' WHEN ${f.sentAt} IS NULL THEN 'not sent' ELSE 'sent' END`)}
      FROM ${o} LEFT JOIN ${left.f} ON ${f.orderId} = ${o.id} AND ${f.lineId} IS NULL AND ${f.chargeId} IS NULL AND ${f.fromCreditId} IS NULL
      WHERE ${o.status} IN (${listed('returned')}) AND ${o.payment} NOT IN ('wallet', 'credit')
        AND (${f.id} IS NULL OR (${o.status} = 'refunding') <> (${f.sentAt} IS NULL))`,
  },
  {
    name: 'every approved top-up is posted to its wallet, every corrected one taken back, and no other moved money',
    breaches: sql`WITH moved AS (
        SELECT ${t.subjectId}, sum(${e.amountSatang}) FILTER (WHERE ${t.kind} = 'top_up') AS credited,
          sum(${e.amountSatang}) FILTER (WHERE ${t.reversesId} IS NOT NULL) AS taken,
          min(${e.account} COLLATE "C") AS lowest, max(${e.account} COLLATE "C") AS highest
        FROM ${t} JOIN ${e} ON ${e.transactionId} = ${t.id}
        WHERE ${t.kind} IN ('top_up', 'correction') AND ${e.account} LIKE 'wallet:%' GROUP BY ${t.subjectId}
      ), expected AS (
        SELECT ${u.id}, ${u.no}, ${u.status}, 'wallet:' || ${u.walletId} AS account,
          CASE WHEN ${u.status} = 'approve' THEN ${u.amountSatang} ELSE 0 END AS credited,
          CASE WHEN ${u.correctedAt} IS NULL THEN 0 ELSE -${u.amountSatang} END AS taken
        FROM ${u}
      )
      SELECT ${what(`'top-up %s (%s): credited %s, taken back %s; expected %s, %s satang',
          coalesce(x.no, m.subject_id::text), coalesce(x.status, 'unknown'), coalesce(m.credited, 0), coalesce(m.taken, 0),
          x.credited, x.taken`)}
      FROM expected x FULL JOIN moved m ON m.subject_id = x.id
      WHERE (x.id IS NULL AND m.credited IS NOT NULL) OR coalesce(m.credited, 0) <> x.credited OR coalesce(m.taken, 0) <> x.taken
        OR (x.id IS NOT NULL AND m.lowest IS NOT NULL AND (m.lowest <> x.account OR m.highest <> x.account))`,
  },
  {
    name: 'every reversal is the exact opposite of what it reverses, a refund of what was sold',
    breaches: sql`WITH pair AS (
        SELECT ${transaction.id} AS reversal, ${transaction.kind}, ${transaction.id} AS part FROM ${transaction} WHERE ${transaction.reversesId} IS NOT NULL
        UNION ALL SELECT ${transaction.id}, ${transaction.kind}, ${transaction.reversesId} FROM ${transaction} WHERE ${transaction.reversesId} IS NOT NULL
      )
      SELECT ${what(`'reversal %s leaves %s satang at %s', p.reversal, sum(${e.amountSatang}), ${e.account}`)}
      FROM pair p JOIN ${e} ON ${e.transactionId} = p.part
      WHERE p.kind <> 'order_refunded' OR ${e.account} = 'sales'
      GROUP BY p.reversal, ${e.account} HAVING sum(${e.amountSatang}) <> 0`,
  },
  {
    name: 'every refund names the sale of its own order',
    breaches: sql`SELECT ${what(`'refund %s of order %s names %s', ${r.id}, ${r.subjectId}, coalesce(${r.reversesId}::text, 'nothing')`)}
      FROM ${r} LEFT JOIN ${left.reversed} ON ${reversed.id} = ${r.reversesId}
      WHERE ${r.kind} = 'order_refunded' AND (${reversed.id} IS NULL OR ${reversed.kind} <> 'order_paid' OR ${reversed.subjectId} <> ${r.subjectId})`,
  },
  {
    name: 'every decided statement line stands on its account with its amount, once, and no other moved money',
    breaches: sql`WITH named AS (
        SELECT ${l.id} AS line_id, ${t.id} FROM ${l} JOIN ${t} ON ${t.subjectId} = ${l.id}
        UNION ALL SELECT ${l.id}, ${t.id} FROM ${l} JOIN ${t} ON ${t.subjectId} = ${l.orderId}
          WHERE ${t.kind} IN ('order_paid', 'order_payment_undone')
        UNION ALL SELECT ${l.id}, ${t.id} FROM ${l} JOIN ${t} ON ${t.subjectId} = ${l.topUpId}
      ), stands AS (
        -- What a gateway keeps of its payout leaves its account as well, so the two together are the line's amount.
        SELECT n.line_id, CASE WHEN ${l.state} = 'payout' AND (${e.account} = 'fees' OR ${e.account} LIKE 'gateway:%') THEN 'gateway'
          ELSE ${e.account} END AS account, sum(${e.amountSatang}) AS sum
        FROM named n JOIN ${e} ON ${e.transactionId} = n.id JOIN ${l} ON ${l.id} = n.line_id
        WHERE ${e.account} LIKE 'bank:%' OR ${e.account} = 'suspense' OR num_nonnulls(${l.orderId}, ${l.topUpId}) = 0
        GROUP BY 1, 2
      ), expected AS (
        -- The money of a top-up is posted when that is approved.
        SELECT ${l.id} AS line_id, 'bank:' || ${l.receivingAccountId} AS account, -${l.amountSatang} AS sum
        FROM ${l} LEFT JOIN ${left.u} ON ${u.id} = ${l.topUpId}
        WHERE ${l.state} IN (${BOOKED}) AND ${u.status} IS DISTINCT FROM 'waiting_approve'
        UNION ALL SELECT ${line.id}, 'wallet:' || ${line.walletId}, ${line.amountSatang} FROM ${line} WHERE ${line.state} = 'credited'
        UNION ALL SELECT ${line.id}, 'refunds', ${line.amountSatang} FROM ${line} WHERE ${line.state} = 'owed'
        UNION ALL SELECT ${line.id}, 'gateway', ${line.amountSatang} FROM ${line} WHERE ${line.state} = 'payout'
      )
      SELECT ${what(`'line %s (%s): %s at %s; expected %s satang', ${l.no}, ${l.state}, coalesce(s.sum, 0), account, coalesce(x.sum, 0)`)}
      FROM stands s FULL JOIN expected x USING (line_id, account) JOIN ${l} ON ${l.id} = line_id
      WHERE coalesce(s.sum, 0) <> coalesce(x.sum, 0)
      UNION ALL SELECT format('transaction %s (%s) is of no line', ${t.id}, ${t.kind}) FROM ${t}
      WHERE ${t.kind} IN ('line_booked', 'line_undone') AND NOT EXISTS (SELECT 1 FROM ${l} WHERE ${l.id} = ${t.subjectId})`,
  },
  {
    name: 'no bank transfer paid two things by its slip',
    breaches: sql`WITH paid AS (
        SELECT ${order.id}, ${order.orderNo} AS no, ${order.slipId} FROM ${order} WHERE ${order.paidAt} IS NOT NULL AND ${order.slipId} IS NOT NULL
        UNION ALL SELECT ${toppedUp.id}, ${toppedUp.no}, ${toppedUp.slipId} FROM ${toppedUp} WHERE ${toppedUp.status} = 'approve'
          AND ${toppedUp.correctedAt} IS NULL AND ${toppedUp.slipId} IS NOT NULL
      )
      SELECT ${what(`'%s: the transfer %s %s paid %s', p.no, ${s.sendingBank}, ${s.bankReference}, coalesce(${used.subjectId}::text, 'nothing')`)}
      FROM paid p JOIN ${s} ON ${s.id} = p.slip_id LEFT JOIN ${left.used} USING (sending_bank, bank_reference)
      WHERE ${s.bankReference} IS NOT NULL AND ${used.subjectId} IS DISTINCT FROM p.id
        -- What the bank's own line shows is paid by that.
        AND NOT EXISTS (SELECT 1 FROM ${l} WHERE ${l.orderId} = p.id OR ${l.topUpId} = p.id)`,
  },
  {
    name: 'whatever has money of a bank has the transfer that brought it, and each line that is booked is of one',
    breaches: sql`WITH has AS (
        SELECT ${o.id}, ${o.orderNo} AS no, (SELECT ${l.id} FROM ${l} WHERE ${l.orderId} = ${o.id}) AS line_id
        FROM ${o} WHERE ${o.payment} = 'bank' AND ${o.paidAt} IS NOT NULL
        UNION ALL SELECT ${u.id}, ${u.no}, (SELECT ${l.id} FROM ${l} WHERE ${l.topUpId} = ${u.id})
        FROM ${u} WHERE (${u.payment} = 'bank' AND ${u.status} = 'approve' AND ${u.correctedAt} IS NULL) OR EXISTS (SELECT 1 FROM ${l} WHERE ${l.topUpId} = ${u.id})
        UNION ALL SELECT ${l.id}, ${l.no}::text, ${l.id} FROM ${l} WHERE ${l.state} IN ('credited', 'owed', 'payout')
      )
      SELECT ${what(`'%s: transfer %s, its line %s', coalesce(h.no, ${used.subjectId}::text), ${used.subjectId}, h.line_id`)}
      FROM has h FULL JOIN ${used} ON ${used.subjectId} = h.id
      WHERE h.id IS NULL OR ${used.subjectId} IS NULL OR ${used.lineId} IS DISTINCT FROM h.line_id`,
  },
  {
    name: 'a statement line matched to a top-up that waits for approval has its amount, and nothing is posted for it',
    breaches: sql`SELECT ${what(`'line %s: %s satang, top-up %s: %s satang, %s transactions', ${l.no}, ${l.amountSatang}, ${u.no}, ${u.amountSatang},
          count(${t.id})`)}
      FROM ${l} JOIN ${u} ON ${u.id} = ${l.topUpId}
      LEFT JOIN ${left.t} ON ${t.subjectId} = ${u.id}
      WHERE ${u.status} = 'waiting_approve' GROUP BY ${l.id}, ${u.id}
      HAVING ${l.state} <> 'matched' OR ${l.amountSatang} <> ${u.amountSatang} OR count(${t.id}) > 0`,
  },
  {
    name: 'every paid charge stands at its gateway with its money less its fee, once, and nothing else does',
    breaches: sql`WITH stands AS (
        SELECT coalesce(${paid.orderId}, ${paid.topUpId}, ${t.subjectId}) AS owner_id, ${e.account}, sum(${e.amountSatang}) AS sum
        FROM ${e} JOIN ${t} ON ${t.id} = ${e.transactionId} LEFT JOIN ${left.paid} ON ${paid.id} = ${t.subjectId}
        -- Payouts are of lines.
        WHERE ${e.account} LIKE 'gateway:%' AND ${t.kind} NOT IN ('line_booked', 'line_undone') GROUP BY 1, 2
      ), expected AS (
        SELECT coalesce(${charged.orderId}, ${charged.topUpId}) AS owner_id, 'gateway:' || ${charged.gateway} AS account, sum(coalesce(${charged.feeSatang}, 0) - ${charged.amountSatang}) AS sum
        FROM ${charged} WHERE ${charged.state} = 'paid' GROUP BY 1, 2
      )
      SELECT ${what(`'charges of %s: %s at %s; expected %s satang', owner_id, coalesce(s.sum, 0), account, coalesce(x.sum, 0)`)}
      FROM stands s FULL JOIN expected x USING (owner_id, account) WHERE coalesce(s.sum, 0) <> coalesce(x.sum, 0)`,
  },
  {
    name: 'a top-up through the gateway is approved exactly when one paid charge brought its money, and by no person',
    breaches: sql`SELECT ${what(`'top-up %s (%s): %s paid charges, decided by %s', ${u.no}, ${u.status}, count(${paid.id}), coalesce(${u.decidedBy}, 'nobody')`)}
      FROM ${u} LEFT JOIN ${left.paid} ON ${paid.topUpId} = ${u.id} AND ${paid.state} = 'paid'
      WHERE ${u.payment} <> 'bank' GROUP BY ${u.id}
      HAVING count(${paid.id}) <> (${u.status} = 'approve')::int OR (${u.status} = 'approve' AND ${u.decidedBy} IS NOT NULL)`,
  },
  {
    name: 'what is kept of what gateways held at the end of a day is what their entries add up to until then',
    breaches: sql`WITH moved AS (
        SELECT ${entry.account}, ${dayOf('at')} AS day, -sum(${entry.amountSatang}) AS sum FROM ${entry} WHERE ${entry.account} LIKE 'gateway:%' GROUP BY 1, 2
      ), held AS (
        SELECT ${g.gateway}, ${g.day}, ${g.heldSatang}, coalesce(sum(m.sum), 0) AS sum
        FROM ${g} LEFT JOIN moved m ON m.account = 'gateway:' || ${g.gateway} AND m.day <= ${g.day} GROUP BY ${g.gateway}, ${g.day}
      )
      SELECT ${what(`'%s at the end of %s: %s kept, entries %s satang', gateway, day, held_satang, sum`)}
      FROM held WHERE held_satang <> sum`,
  },
  {
    name: 'what is owed back, and nothing else, stands in refunds until it is sent',
    breaches: sql`WITH held AS (
        SELECT ${t.subjectId}, sum(${e.amountSatang}) AS sum FROM ${e} JOIN ${t} ON ${t.id} = ${e.transactionId}
        WHERE ${e.account} = 'refunds' GROUP BY ${t.subjectId}
      ), moved AS (
        SELECT CASE WHEN ${owed.fromCreditId} IS NULL THEN coalesce(${owed.lineId}, ${owed.chargeId}, ${owed.orderId}) ELSE ${owed.id} END AS subject_id,
          sum(${owed.amountSatang}) AS sum FROM ${owed} WHERE ${owed.undoneAt} IS NULL GROUP BY 1
        UNION ALL SELECT ${owed.id}, -${owed.amountSatang} FROM ${owed} WHERE ${owed.sentAt} IS NOT NULL
      ), owed AS (SELECT subject_id, sum(sum) AS sum FROM moved GROUP BY subject_id)
      SELECT ${what(`'refunds of %s: %s, owed %s satang', subject_id, coalesce(h.sum, 0), coalesce(f.sum, 0)`)}
      FROM held h FULL JOIN owed f USING (subject_id) WHERE coalesce(h.sum, 0) <> coalesce(f.sum, 0)`,
  },
  {
    name: 'money in = money out + balances',
    breaches: sql`SELECT ${what(`'in %s, out %s, balances %s satang', came_in, went_out, balances`)}
      FROM (SELECT
        (SELECT coalesce(-sum(${entry.amountSatang}), 0) FROM ${entry} WHERE ${CAME_IN}) AS came_in,
        (SELECT coalesce(sum(${entry.amountSatang}), 0) FROM ${entry} WHERE ${WENT_OUT}) AS went_out,
        (SELECT coalesce(sum(${purse.balanceSatang}), 0) FROM ${purse}) + (SELECT coalesce(sum(${purse.balanceSatang}), 0) FROM ${credits}) AS balances) AS flow
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
    await tx.query({ text: sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY` })
    // With this setting sums over millions of entries stay in memory instead of temporary files.
    await tx.query({ text: sql`SET LOCAL work_mem = '256MB'` })
    const breaches: LedgerReport['breaches'] = []
    for (const { name, breaches: text } of INVARIANTS) {
      const rows = await tx.query({ text: sql`${text} LIMIT ${SHOWN}` })
      breaches.push(...rows.map(({ what }) => ({ invariant: name, what })))
    }
    return { breaches, ...(await findTotals(tx)) }
  }, CHECKING)
}

async function findTotals(tx: Queries): Promise<Omit<LedgerReport, 'breaches'>> {
  const sumWhere = (condition: string) => `sum(${entry.amountSatang}) FILTER (WHERE ${condition})`
  const [totals] = await tx.query({
    text: sql`SELECT ${row<Omit<LedgerReport, 'breaches'>>({
      entries: as.big('count(*)'),
      inSatang: as.satang(`coalesce(-${sumWhere(CAME_IN)}, 0)`),
      outSatang: as.satang(`coalesce(${sumWhere(WENT_OUT)}, 0)`),
      balancesSatang: as.satang(
        `coalesce(${sumWhere(`${entry.account} LIKE 'wallet:%' OR ${entry.account} LIKE 'credit:%'`)}, 0)`,
      ),
      waitingSatang:
        as.satang(`(SELECT coalesce(sum(${l.amountSatang}), 0) FROM ${l} JOIN ${u} ON ${u.id} = ${l.topUpId}
        WHERE ${u.status} = 'waiting_approve')`),
    })}
      FROM ${entry}`,
  })
  return totals!
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
