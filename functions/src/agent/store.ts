import type { Satang } from '@shop/shared/money.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { eq, getTableColumns } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { account } from '../account/tables.ts'
import { agentTier } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, jsonObject, likePart, personWords, selectList, sqlOf } from '../database/listing.ts'
import { agentBank } from './tables.ts'

const OWN = {
  ...sqlOf(account, 'a', 'uid', 'username', 'givenName', 'familyName', 'email', 'emailVerified', 'phone'),
  ...sqlOf(account, 'a', 'role', 'status', 'createdAt'),
}

/** An agent or another person with a wallet. */
export interface StoredAgent extends Pick<typeof account.$inferSelect, keyof typeof OWN> {
  tier: { id: number; name: string } | null
  walletId: string | null
  balanceSatang: Satang
  bankCode: string | null
  bankAccount: string | null
}

const WALLET_TABLES = 'LEFT JOIN wallet w ON w.uid = a.uid'
const AGENT = columns<StoredAgent>({
  ...OWN,
  tier: `CASE WHEN w.id IS NOT NULL THEN ${jsonObject<NonNullable<StoredAgent['tier']>>({ id: 't.id', name: 't.name' })} END`,
  walletId: 'w.id',
  balanceSatang: 'coalesce(w.balance_satang, 0)',
  ...sqlOf(agentBank, 'b', 'bankCode', 'bankAccount'),
})
const agents = (table: string, more = '') => `SELECT ${AGENT}${more && `, ${more}`}
  FROM ${table} a ${WALLET_TABLES} LEFT JOIN agent_tier t ON t.id = w.tier_id LEFT JOIN agent_bank b ON b.uid = a.uid`

/** Movements of orders on a wallet, as SQL: what was paid, and what went back. */
export const OF_ORDERS = `('order_paid', 'order_refunded', 'order_reduced', 'order_payment_undone')`

export interface ListedAgent extends StoredAgent {
  spentSatang: Satang
  lastOrderAt: Date | null
}

/** A page of agents and of everybody else with a wallet, by name; `since` is when spending begins to count. */
export async function findAgents(
  db: Sql,
  query: { name?: string; tier?: number[]; page: number; pageSize: number },
  since: Date,
): Promise<{ rows: ListedAgent[]; total: number }> {
  const filter = new Filter(`(a.role = 'agent' OR w.id IS NOT NULL)`)
  filter.where(query.name || null, name => `${personWords('a')} ILIKE ${name}`, likePart)
  filter.where(query.tier, tiers => `w.tier_id = ANY(${tiers}::int[])`)
  const activity = columns<Omit<ListedAgent, keyof StoredAgent>>({
    spentSatang: `(SELECT coalesce(-sum(e.amount_satang), 0)::bigint FROM ledger_entry e JOIN ledger_transaction x ON x.id = e.transaction_id
      WHERE e.account = 'wallet:' || w.id AND e.at >= '${since.toISOString()}' AND x.kind IN ${OF_ORDERS})`,
    lastOrderAt: `(SELECT max(o.created_at) FROM orders o WHERE o.buyer_key = 'u:' || a.uid)`,
  })
  const select = agents('page', activity)
  return findPage(db, { from: `account a ${WALLET_TABLES}`, filter, order: 'a.username, a.uid', select }, query)
}

export async function findAgent(db: Sql, uid: string): Promise<StoredAgent | null> {
  const [row] = await db.query<StoredAgent>({ text: `${agents('account')} WHERE a.uid = $1`, values: [uid] })
  return row ?? null
}

/** Finds people who hold one of these roles by a part of their name or email. */
export async function findPeople(
  db: Sql,
  filter: { name: string; roles: readonly Role[]; exceptUid: string; limit: number },
) {
  return db.query<{
    uid: string
    name: string
    surname: string
    email: string | null
    emailVerified: boolean
    role: Role
    tierId: number | null
  }>({
    text: `SELECT a.uid, coalesce(nullif(a.given_name, ''), a.username) AS name, a.family_name AS surname, a.email,
        a.email_verified AS "emailVerified", a.role, w.tier_id AS "tierId"
      FROM account a LEFT JOIN wallet w ON w.uid = a.uid
      WHERE a.role = ANY($1::text[]) AND a.uid <> $2
        AND ${personWords('a')} ILIKE $3
      ORDER BY a.username, a.uid LIMIT $4`,
    values: [filter.roles, filter.exceptUid, likePart(filter.name), filter.limit],
  })
}

/** A tier with how many people have it. */
export type Tier = typeof agentTier.$inferSelect & { agentCount: number }

const TIER_SQL = `SELECT ${selectList(getTableColumns(agentTier), 't')},
    (SELECT count(*)::int FROM wallet w WHERE w.tier_id = t.id) AS "agentCount"
  FROM agent_tier t`

export async function findTiers(db: Sql): Promise<Tier[]> {
  return db.query<Tier>({ text: `${TIER_SQL} ORDER BY t.id` })
}

export async function findTier(db: Sql, id: number): Promise<Tier | null> {
  const [row] = await db.query<Tier>({ text: `${TIER_SQL} WHERE t.id = $1`, values: [id] })
  return row ?? null
}

/** Adds a tier or changes the one with this id. Returns its id, or null when the id is unknown. */
export async function saveTier(
  tx: Sql,
  { id, ...tier }: Omit<Tier, 'id' | 'agentCount'> & { id?: number },
): Promise<number | null> {
  const returning = { id: agentTier.id }
  const [row] =
    id === undefined
      ? await tx.orm.insert(agentTier).values(tier).returning(returning)
      : await tx.orm.update(agentTier).set(tier).where(eq(agentTier.id, id)).returning(returning)
  return row?.id ?? null
}

/** Gives a person a tier; their first tier creates the wallet. */
export async function saveWalletTier(tx: Sql, uid: string, tierId: number, now: Date): Promise<void> {
  await tx.query({
    text: `INSERT INTO wallet (id, uid, tier_id, created_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (uid) DO UPDATE SET tier_id = excluded.tier_id`,
    values: [uuidv7(), uid, tierId, now],
  })
}

interface AgentBank {
  bankCode: string | null
  bankAccount: string | null
}

export async function findAgentBank(tx: Sql, uid: string): Promise<AgentBank> {
  const { bankCode, bankAccount } = agentBank
  const [row] = await tx.orm.select({ bankCode, bankAccount }).from(agentBank).where(eq(agentBank.uid, uid))
  return row ?? { bankCode: null, bankAccount: null }
}

export async function saveAgentBank(tx: Sql, uid: string, bank: { bankCode: string; bankAccount: string }) {
  await tx.orm
    .insert(agentBank)
    .values({ uid, ...bank })
    .onConflictDoUpdate({ target: agentBank.uid, set: bank })
}

/** Inserts a new agent, who must change the password and PIN that staff gave them. */
export async function insertAgentAccount(
  tx: Sql,
  agent: Pick<
    typeof account.$inferInsert,
    'uid' | 'username' | 'givenName' | 'familyName' | 'phone' | 'email' | 'status' | 'oneTimePasswordHash' | 'createdAt'
  >,
): Promise<void> {
  const given = { mustChangePassword: true, mustChangePin: true }
  await tx.orm.insert(account).values({ ...agent, ...given, role: 'agent', providers: ['password'] })
}
