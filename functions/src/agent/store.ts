import type { Satang } from '@shop/shared/money.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { account } from '../account/tables.ts'
import { agentTier } from '../catalogue/tables.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, likePart, personWords } from '../database/listing.ts'
import {
  as,
  coalesce,
  type Fields,
  json,
  notNull,
  orNull,
  outer,
  pick,
  row,
  sql,
  under,
  when,
} from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { orders } from '../order/tables.ts'
import { ledgerEntry, ledgerTransaction, wallet } from '../wallet/tables.ts'
import { agentBank } from './tables.ts'

const [a, w, t, b] = [under(account, 'a'), outer(wallet, 'w'), outer(agentTier, 't'), outer(agentBank, 'b')]
const OWN = {
  ...pick(a, 'uid', 'username', 'givenName', 'familyName', 'email', 'emailVerified', 'phone'),
  ...pick(a, 'role', 'status', 'createdAt'),
}

/** An agent or another person with a wallet. */
export interface StoredAgent extends Pick<typeof account.$inferSelect, keyof typeof OWN> {
  tier: { id: number; name: string } | null
  walletId: string | null
  balanceSatang: Satang
  bankCode: string | null
  bankAccount: string | null
}

const WITH_WALLET = sql`LEFT JOIN ${w} ON ${w.uid} = ${a.uid}`
const AGENT: Fields<StoredAgent> = {
  ...OWN,
  tier: when(`${w.id} IS NOT NULL`, json({ id: notNull(t.id), name: notNull(t.name) })),
  walletId: w.id,
  balanceSatang: coalesce(w.balanceSatang, 0),
  ...pick(b, 'bankCode', 'bankAccount'),
}
const AGENT_TABLES = sql`${WITH_WALLET} LEFT JOIN ${t} ON ${t.id} = ${w.tierId} LEFT JOIN ${b} ON ${b.uid} = ${a.uid}`

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
  const filter = new Filter(`(${a.role} = 'agent' OR ${w.id} IS NOT NULL)`)
  filter.where(query.name || null, name => `${personWords('a')} ILIKE ${name}`, likePart)
  filter.where(query.tier, tiers => `${w.tierId} = ANY(${tiers}::int[])`)
  const [e, x, o] = [under(ledgerEntry, 'e'), under(ledgerTransaction, 'x'), under(orders, 'o')]
  const select = sql`SELECT ${row<ListedAgent>({
    ...AGENT,
    spentSatang:
      as.satang(`(SELECT coalesce(-sum(${e.amountSatang}), 0) FROM ${e} JOIN ${x} ON ${x.id} = ${e.transactionId}
      WHERE ${e.account} = 'wallet:' || ${w.id} AND ${e.at} >= '${since.toISOString()}' AND ${x.kind} IN ${OF_ORDERS})`),
    lastOrderAt: orNull(as.instant(`(SELECT max(${o.createdAt}) FROM ${o} WHERE ${o.buyerKey} = 'u:' || ${a.uid})`)),
  })}
  FROM page a ${AGENT_TABLES}`
  return findPage(db, { from: sql`${a} ${WITH_WALLET}`, filter, order: `${a.username}, ${a.uid}`, select }, query)
}

export async function findAgent(db: Sql, uid: string): Promise<StoredAgent | null> {
  const [found] = await db.query({
    text: sql`SELECT ${row<StoredAgent>(AGENT)}
      FROM ${a} ${AGENT_TABLES} WHERE ${a.uid} = $1`,
    values: [uid],
  })
  return found ?? null
}

/** Finds people who hold one of these roles by a part of their name or email. */
export async function findPeople(
  db: Sql,
  filter: { name: string; roles: readonly Role[]; exceptUid: string; limit: number },
) {
  return db.query({
    text: sql`SELECT ${row({
      ...pick(a, 'uid', 'email', 'emailVerified', 'role'),
      name: as.text(`coalesce(nullif(${a.givenName}, ''), ${a.username})`),
      surname: a.familyName,
      tierId: w.tierId,
    })}
      FROM ${a} ${WITH_WALLET}
      WHERE ${a.role} = ANY($1::text[]) AND ${a.uid} <> $2
        AND ${personWords('a')} ILIKE $3
      ORDER BY ${a.username}, ${a.uid} LIMIT $4`,
    values: [filter.roles, filter.exceptUid, likePart(filter.name), filter.limit],
  })
}

/** A tier with how many people have it. */
export type Tier = typeof agentTier.$inferSelect & { agentCount: number }

const [tiers, had] = [under(agentTier, 't'), under(wallet, 'w')]
const TIERS = sql`SELECT ${row<Tier>({
  ...tiers,
  agentCount: as.int(`(SELECT count(*) FROM ${had} WHERE ${had.tierId} = ${tiers.id})`),
})}
  FROM ${tiers}`

export async function findTiers(db: Sql): Promise<Tier[]> {
  return db.query({ text: sql`${TIERS} ORDER BY ${tiers.id}` })
}

export async function findTier(db: Sql, id: number): Promise<Tier | null> {
  const [found] = await db.query({ text: sql`${TIERS} WHERE ${tiers.id} = $1`, values: [id] })
  return found ?? null
}

/** Adds a tier or changes the one with this id. Returns its id, or null when the id is unknown. */
export async function saveTier(
  tx: Sql,
  { id, ...tier }: Omit<Tier, 'id' | 'agentCount'> & { id?: number },
): Promise<number | null> {
  const returning = { id: agentTier.id }
  const [saved] =
    id === undefined
      ? await tx.orm.insert(agentTier).values(tier).returning(returning)
      : await tx.orm.update(agentTier).set(tier).where(eq(agentTier.id, id)).returning(returning)
  return saved?.id ?? null
}

/** Gives a person a tier; their first tier creates the wallet. */
export async function saveWalletTier(tx: Sql, uid: string, tierId: number, now: Date): Promise<void> {
  const made = under(wallet)
  await tx.query({
    text: sql`INSERT INTO ${made} (${made.id}, ${made.uid}, ${made.tierId}, ${made.createdAt}) VALUES ($1, $2, $3, $4)
      ON CONFLICT (${made.uid}) DO UPDATE SET ${excludedSql(pick(made, 'tierId'))}`,
    values: [uuidv7(), uid, tierId, now],
  })
}

interface AgentBank {
  bankCode: string | null
  bankAccount: string | null
}

export async function findAgentBank(tx: Sql, uid: string): Promise<AgentBank> {
  const { bankCode, bankAccount } = agentBank
  const [bank] = await tx.orm.select({ bankCode, bankAccount }).from(agentBank).where(eq(agentBank.uid, uid))
  return bank ?? { bankCode: null, bankAccount: null }
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
