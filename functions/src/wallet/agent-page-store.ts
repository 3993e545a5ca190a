import type { Satang } from '@shop/shared/money.ts'
import { OF_ORDERS } from '../agent/store.ts'
import type { Sql } from '../database/database.ts'
import { columns, personName } from '../database/listing.ts'
import { WORTH } from '../transfer/order-money.ts'

/** Returns how many orders a wallet paid in [from, to), and what they cost without what went back. */
export async function findPurchases(db: Sql, walletId: string, { from, to }: { from: Date; to: Date }) {
  const [row] = await db.query<{ orders: number; spentSatang: Satang }>({
    text: `SELECT count(*) FILTER (WHERE x.kind = 'order_paid')::int AS orders, coalesce(-sum(e.amount_satang), 0)::bigint AS "spentSatang"
      FROM ledger_entry e JOIN ledger_transaction x ON x.id = e.transaction_id
      WHERE e.account = $1 AND e.at >= $2 AND e.at < $3 AND x.kind IN ${OF_ORDERS}`,
    values: [`wallet:${walletId}`, from, to],
  })
  return row!
}

interface LastOrder {
  orderNo: string
  title: string
  status: string
  amountSatang: Satang
  createdAt: Date
}

export async function findLastOrder(db: Sql, uid: string): Promise<LastOrder | null> {
  const order = columns<LastOrder>({
    orderNo: 'o.order_no',
    title: `concat_ws(' · ', o.snapshot->>'gameName', o.snapshot->>'packageName')`,
    status: 'o.status',
    amountSatang: WORTH,
    createdAt: 'o.created_at',
  })
  const [row] = await db.query<LastOrder>({
    text: `SELECT ${order} FROM orders o WHERE o.buyer_key = $1 ORDER BY o.created_at DESC, o.id DESC LIMIT 1`,
    values: [`u:${uid}`],
  })
  return row ?? null
}

/** Nobody reads more of an agent's past than this. */
const MOST_DEEDS = 20

/** What staff set for an agent: a tier, or another PIN. */
interface Deed {
  at: Date
  byName: string | null
}

/** Returns the tiers that an agent was given, newest first. */
export async function findTierHistory(db: Sql, uid: string): Promise<(Deed & { tierName: string })[]> {
  return db.query<Deed & { tierName: string }>({
    text: `SELECT e.at, ${personName('p')} AS "byName", t.name AS "tierName"
      FROM audit_entry e JOIN agent_tier t ON t.id = (e.after->>'tierId')::int LEFT JOIN account p ON p.uid = e.actor_uid
      WHERE e.subject = $1 AND e.action IN ('agent.create', 'agent.mapTier')
        AND e.after->>'tierId' IS DISTINCT FROM e.before->>'tierId'
      ORDER BY e.at DESC, e.id DESC LIMIT ${MOST_DEEDS}`,
    values: [`account:${uid}`],
  })
}

/** Returns when staff set another PIN for an agent, newest first. */
export async function findPinResets(db: Sql, uid: string): Promise<Deed[]> {
  return db.query<Deed>({
    text: `SELECT e.at, ${personName('p')} AS "byName" FROM audit_entry e LEFT JOIN account p ON p.uid = e.actor_uid
      WHERE e.subject = $1 AND e.action = 'account.resetPin' ORDER BY e.at DESC, e.id DESC LIMIT ${MOST_DEEDS}`,
    values: [`account:${uid}`],
  })
}
