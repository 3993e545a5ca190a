import { showPhone } from '@shop/shared/account/account.ts'
import type { Agent, Tier } from '@shop/shared/agent/endpoints.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { COUNT_LIMIT, likePart } from '../database/listing.ts'

/** An agent as stored; whether the caller may edit them is not the store's to say. */
export type StoredAgent = Omit<Agent, 'canEdit'>

const AGENT_SQL = `SELECT a.uid, a.username AS name, a.name AS "firstName", a.surname AS "lastName", a.email, a.tel, a.role,
    CASE WHEN w.id IS NULL THEN NULL ELSE json_build_object('id', t.id, 'name', t.name) END AS tier,
    w.id AS "walletId", coalesce(w.balance_satang, 0) AS "balanceSatang",
    b.bank_code AS "bankCode", b.bank_account AS "bankAccount",
    CASE a.status WHEN 'active' THEN true WHEN 'inactive' THEN false END AS "isActived"
  FROM account a LEFT JOIN wallet w ON w.uid = a.uid LEFT JOIN agent_tier t ON t.id = w.tier_id
  LEFT JOIN agent_bank b ON b.uid = a.uid`

type AgentRow = Omit<StoredAgent, 'tel'> & { tel: string | null }
const agentOf = (row: AgentRow): StoredAgent => ({ ...row, tel: showPhone(row.tel) })

/** A page of agents and of everybody else with a wallet, by name. */
export async function findAgents(
  db: Sql,
  filter: { name?: string; tier?: number[]; page: number; pageSize: number },
): Promise<{ rows: StoredAgent[]; total: number }> {
  const values: unknown[] = []
  const where = [`(a.role = 'agent' OR w.id IS NOT NULL)`]
  if (filter.name) {
    values.push(likePart(filter.name))
    where.push(
      `(a.username || ' ' || a.name || ' ' || a.surname || ' ' || coalesce(a.email, '')) ILIKE $${values.length}`,
    )
  }
  if (filter.tier) {
    values.push(filter.tier)
    where.push(`w.tier_id = ANY($${values.length}::int[])`)
  }
  const matching = `${AGENT_SQL} WHERE ${where.join(' AND ')}`
  const [rows, [count]] = await Promise.all([
    db.query<AgentRow>({
      text: `${matching} ORDER BY a.username, a.uid LIMIT ${filter.pageSize} OFFSET ${(filter.page - 1) * filter.pageSize}`,
      values,
    }),
    db.query<{ total: number }>({
      text: `SELECT count(*)::int AS total FROM (${matching} LIMIT ${COUNT_LIMIT}) AS counted`,
      values,
    }),
  ])
  return { rows: rows.map(agentOf), total: count!.total }
}

export async function findAgent(db: Sql, uid: string): Promise<StoredAgent | null> {
  const [row] = await db.query<AgentRow>({ text: `${AGENT_SQL} WHERE a.uid = $1`, values: [uid] })
  return row ? agentOf(row) : null
}

/** People who hold one of these roles, by part of their name or email. */
export async function findPeople(db: Sql, filter: { name: string; roles: Role[]; exceptUid: string; limit: number }) {
  return db.query<{
    uid: string
    name: string
    surname: string
    email: string | null
    role: Role
    tierId: number | null
  }>({
    text: `SELECT a.uid, coalesce(nullif(a.name, ''), a.username) AS name, a.surname, a.email, a.role, w.tier_id AS "tierId"
      FROM account a LEFT JOIN wallet w ON w.uid = a.uid
      WHERE a.role = ANY($1::text[]) AND a.uid <> $2
        AND (a.username || ' ' || a.name || ' ' || a.surname || ' ' || coalesce(a.email, '')) ILIKE $3
      ORDER BY a.username, a.uid LIMIT $4`,
    values: [filter.roles, filter.exceptUid, likePart(filter.name), filter.limit],
  })
}

const TIER_SQL = `SELECT t.id, t.name, t.description, t.max_amount_satang AS "maxAmountSatang",
    t.min_top_up_satang AS "minTopUpSatang", t.max_amount_per_order_satang AS "maxAmountPerOrderSatang",
    t.max_item_per_order AS "maxItemPerOrder", t.is_active AS "isActived",
    (SELECT count(*)::int FROM wallet w WHERE w.tier_id = t.id) AS "agentCount"
  FROM agent_tier t`

export async function findTiers(db: Sql): Promise<Tier[]> {
  return db.query<Tier>({ text: `${TIER_SQL} ORDER BY t.id` })
}

export async function findTier(db: Sql, id: number): Promise<Tier | null> {
  const [row] = await db.query<Tier>({ text: `${TIER_SQL} WHERE t.id = $1`, values: [id] })
  return row ?? null
}

/** Adds a tier, or changes the one with this id. Returns its id, or null when there is none. */
export async function saveTier(
  tx: Sql,
  tier: Omit<Tier, 'id' | 'agentCount'> & { id?: number },
): Promise<number | null> {
  const limits = [tier.maxAmountSatang, tier.minTopUpSatang, tier.maxAmountPerOrderSatang, tier.maxItemPerOrder]
  const values = [tier.name, tier.description, ...limits, tier.isActived]
  const [row] = await tx.query<{ id: number }>(
    tier.id === undefined
      ? {
          text: `INSERT INTO agent_tier (name, description, max_amount_satang, min_top_up_satang,
              max_amount_per_order_satang, max_item_per_order, is_active)
            VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
          values,
        }
      : {
          text: `UPDATE agent_tier SET name = $1, description = $2, max_amount_satang = $3, min_top_up_satang = $4,
              max_amount_per_order_satang = $5, max_item_per_order = $6, is_active = $7 WHERE id = $8 RETURNING id`,
          values: [...values, tier.id],
        },
  )
  return row?.id ?? null
}

/** Gives a person a tier; the first one makes the wallet. */
export async function saveWalletTier(tx: Sql, uid: string, tierId: number, now: Date): Promise<void> {
  await tx.query({
    text: `INSERT INTO wallet (id, uid, tier_id, created_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (uid) DO UPDATE SET tier_id = excluded.tier_id`,
    values: [uuidv7(), uid, tierId, now],
  })
}

export async function saveAgentBank(tx: Sql, uid: string, bank: { bankCode: string; bankAccount: string }) {
  await tx.query({
    text: `INSERT INTO agent_bank (uid, bank_code, bank_account) VALUES ($1, $2, $3)
      ON CONFLICT (uid) DO UPDATE SET bank_code = excluded.bank_code, bank_account = excluded.bank_account`,
    values: [uid, bank.bankCode, bank.bankAccount],
  })
}

/** A new agent, who must change what staff gave them. */
export async function insertAgentAccount(
  tx: Sql,
  agent: {
    uid: string
    name: string
    firstName: string
    lastName: string
    tel: string | null
    email: string
    status: 'active' | 'inactive'
    oneTimePasswordHash: string
    now: Date
  },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO account (uid, username, providers, name, surname, tel, email, status, role, is_password_change,
        is_pin_change, one_time_password_hash, created_at)
      VALUES ($1, $2, '{password}', $3, $4, $5, $6, $7, 'agent', false, false, $8, $9)`,
    values: [
      ...[agent.uid, agent.name, agent.firstName, agent.lastName, agent.tel, agent.email, agent.status],
      ...[agent.oneTimePasswordHash, agent.now],
    ],
  })
}
