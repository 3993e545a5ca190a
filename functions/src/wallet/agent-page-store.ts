import type { Satang } from '@shop/shared/money.ts'
import { account } from '../account/tables.ts'
import { OF_ORDERS } from '../agent/store.ts'
import { auditEntry } from '../audit/tables.ts'
import { agentTier } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { orders } from '../order/tables.ts'
import { WORTH } from '../transfer/order-money.ts'
import { ledgerEntry, ledgerTransaction } from './tables.ts'

const [e, x, o] = [under(ledgerEntry, 'e'), under(ledgerTransaction, 'x'), under(orders, 'o')]

/** Returns how many orders a wallet paid in [from, to), and what they cost without what went back. */
export async function findPurchases(db: Sql, walletId: string, { from, to }: { from: Date; to: Date }) {
  const [found] = await db.query({
    text: sql`SELECT ${row({
      orders: as.int(`count(*) FILTER (WHERE ${x.kind} = 'order_paid')`),
      spentSatang: as.satang(`coalesce(-sum(${e.amountSatang}), 0)`),
    })}
      FROM ${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
      WHERE ${e.account} = $1 AND ${e.at} >= $2 AND ${e.at} < $3 AND ${x.kind} IN ${OF_ORDERS}`,
    values: [`wallet:${walletId}`, from, to],
  })
  return found!
}

interface LastOrder {
  orderNo: string
  title: string
  status: string
  amountSatang: Satang
  createdAt: Date
}

export async function findLastOrder(db: Sql, uid: string): Promise<LastOrder | null> {
  const order = row<LastOrder>({
    ...pick(o, 'orderNo', 'status', 'createdAt'),
    title: as.text(`concat_ws(' · ', ${o.snapshot}->>'gameName', ${o.snapshot}->>'packageName')`),
    amountSatang: WORTH,
  })
  const [found] = await db.query({
    text: sql`SELECT ${order} FROM ${o} WHERE ${o.buyerKey} = $1 ORDER BY ${o.createdAt} DESC, ${o.id} DESC LIMIT 1`,
    values: [`u:${uid}`],
  })
  return found ?? null
}

/** Nobody reads more of an agent's past than this. */
const MOST_DEEDS = 20

/** What staff set for an agent: a tier, or another PIN. */
interface Deed {
  at: Date
  byName: string | null
}

const [done, t, p] = [under(auditEntry, 'e'), under(agentTier, 't'), outer(account, 'p')]
const DEED = { at: done.at, byName: orNull(personName('p')) }
const LATEST = `ORDER BY ${done.at} DESC, ${done.id} DESC LIMIT ${MOST_DEEDS}`

/** Returns the tiers that an agent was given, newest first. */
export async function findTierHistory(db: Sql, uid: string): Promise<(Deed & { tierName: string })[]> {
  return db.query({
    text: sql`SELECT ${row<Deed & { tierName: string }>({ ...DEED, tierName: t.name })}
      FROM ${done} JOIN ${t} ON ${t.id} = (${done.after}->>'tierId')::int LEFT JOIN ${p} ON ${p.uid} = ${done.actorUid}
      WHERE ${done.subject} = $1 AND ${done.action} IN ('agent.create', 'agent.mapTier')
        AND ${done.after}->>'tierId' IS DISTINCT FROM ${done.before}->>'tierId'
      ${LATEST}`,
    values: [`account:${uid}`],
  })
}

/** Returns when staff set another PIN for an agent, newest first. */
export async function findPinResets(db: Sql, uid: string): Promise<Deed[]> {
  return db.query({
    text: sql`SELECT ${row<Deed>(DEED)} FROM ${done} LEFT JOIN ${p} ON ${p.uid} = ${done.actorUid}
      WHERE ${done.subject} = $1 AND ${done.action} = 'account.resetPin' ${LATEST}`,
    values: [`account:${uid}`],
  })
}
