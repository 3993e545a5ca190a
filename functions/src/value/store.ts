import type { Satang } from '@shop/shared/money.ts'
import { type Caller, can, ROLES } from '@shop/shared/permissions.ts'
import { OPTION } from '@shop/shared/settings/option.ts'
import { addSeconds, bangkokDay, startOfBangkokDay } from '@shop/shared/time.ts'
import {
  COUNTED_MOVES,
  LOST_RIGHT_SECONDS,
  RANK_TIE_SECONDS,
  type ValueMove,
  type WordAction,
} from '@shop/shared/value/value.ts'
import { uuidv7 } from 'uuidv7'
import { subjectName } from '../audit/store.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, personName, sqlOf } from '../database/listing.ts'
import { valueMove } from './tables.ts'

/** Returns the amount in satang above which a single person may not move money alone, as this transaction sees it. */
export async function findTwoPersonAmount(db: Sql): Promise<Satang> {
  const [row] = await db.query<{ value: string }>({
    text: `SELECT value FROM option WHERE name = 'TWO_PERSON_APPROVAL_AMOUNT'`,
  })
  const { read, standard } = OPTION.TWO_PERSON_APPROVAL_AMOUNT
  return (read(row?.value ?? '') ?? standard) * 100
}

/** Locks a person's movements, so that they happen one after another until the end of the transaction. */
export async function lockMover(tx: Sql, uid: string): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`value:${uid}`] })
}

/** Returns what somebody moved alone on the Bangkok day of `now`. */
export async function findMovedToday(tx: Sql, uid: string, now: Date): Promise<Satang> {
  const [row] = await tx.query<{ sum: Satang }>({
    text: `SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM value_move
      WHERE actor_uid = $1 AND at >= $2 AND kind = ANY($3) AND second_uid IS NULL AND NOT is_alone`,
    values: [uid, startOfBangkokDay(bangkokDay(now)), COUNTED_MOVES],
  })
  return row!.sum
}

/** Who works with the shop's own database, outside of any account; in the audit log and among the movers. */
export const OPERATOR = { uid: 'operator', role: 'admin' } as const

const wasAdmin = (side: string): string =>
  `(coalesce(${side}->>'role', '') = 'admin' AND ${side}->>'status' IS DISTINCT FROM 'inactive')`

/**
 * The condition that the person $2 ended an admin who is none now: by themself, by agreeing to it, or in the name of
 * whoever resigned, whose secrets they once set. It holds for good, or one would only have to wait; what the operator has
 * said about the same person since ends it. Whom they made an admin within a fortnight before was nobody else to them.
 */
const ENDED_AN_ADMIN = `EXISTS (
  SELECT 1 FROM audit_entry ended JOIN account gone ON ended.subject = 'account:' || gone.uid
  WHERE ended.action = 'account.setRole' AND gone.uid <> $2 AND (gone.role <> 'admin' OR gone.status = 'inactive')
    AND ${wasAdmin('ended.before')} AND NOT ${wasAdmin('ended.after')}
    AND (ended.actor_uid = $2
      OR EXISTS (SELECT 1 FROM value_move agreed WHERE agreed.kind = 'adminEnded' AND agreed.subject = ended.subject
        AND agreed.at = ended.at AND agreed.second_uid = $2)
      OR (ended.actor_uid = gone.uid AND EXISTS (SELECT 1 FROM audit_entry held WHERE held.subject = ended.subject
        AND held.actor_uid = $2 AND held.at <= ended.at
        AND held.action IN ('account.resetPassword', 'account.resetTotp', 'agent.create'))))
    AND NOT EXISTS (SELECT 1 FROM audit_entry said WHERE said.subject = ended.subject AND said.action = 'account.setRole'
      AND said.actor_uid = '${OPERATOR.uid}' AND said.at >= ended.at)
    AND NOT EXISTS (SELECT 1 FROM audit_entry made WHERE made.subject = ended.subject AND made.action = 'account.setRole'
      AND made.actor_uid = $2 AND ended.actor_uid = $2
      AND made.at BETWEEN ended.at - ${RANK_TIE_SECONDS} * interval '1 second' AND ended.at
      AND ${wasAdmin('made.after')} AND NOT ${wasAdmin('made.before')}))`

/**
 * Tells whether another person may agree to such an action, or could within the last days, so that nobody becomes the
 * only one by waiting. People whom they recently gave such a rank do not count. Whoever ended an admin always has others:
 * nobody is alone by their own act.
 */
export async function hasOthers(tx: Sql, action: WordAction, uid: string, now: Date): Promise<boolean> {
  const roles = ROLES.filter(role => can(role, action))
  const hadIt = (entry: string) =>
    `(${entry}.before->>'role' = ANY($1) AND ${entry}.before->>'status' IS DISTINCT FROM 'inactive')`
  const [row] = await tx.query<{ found: boolean }>({
    text: `SELECT EXISTS (SELECT 1 FROM account a WHERE a.role = ANY($1) AND a.status <> 'inactive' AND a.uid <> $2
        AND NOT EXISTS (SELECT 1 FROM audit_entry made WHERE made.action = 'account.setRole' AND made.actor_uid = $2
          AND made.at > $3 AND made.subject = 'account:' || a.uid AND NOT ${hadIt('made')}))
      OR EXISTS (SELECT 1 FROM audit_entry lost WHERE lost.action = 'account.setRole' AND lost.at > $4
        AND lost.subject <> 'account:' || $2 AND ${hadIt('lost')})
      OR ${ENDED_AN_ADMIN} AS found`,
    values: [roles, uid, addSeconds(now, -RANK_TIE_SECONDS), addSeconds(now, -LOST_RIGHT_SECONDS)],
  })
  return row!.found
}

export interface NewMove extends ValueMove {
  secondUid: string | null
  wordId: string | null
  isAlone: boolean
}

/** Stores a movement and returns its id. */
export async function insertMove(
  tx: Sql,
  person: Omit<Person, 'findUnheard'>,
  { owners: _, isOwnWord: _own, evidence: _shown, ...move }: NewMove,
): Promise<string> {
  const id = uuidv7()
  const who = { actorUid: person.uid, actorRole: person.role, at: person.now }
  await tx.orm.insert(valueMove).values({ ...move, ...who, id })
  return id
}

/** A movement in the form that people see. */
export interface MoveRow {
  id: string
  at: Date
  uid: string
  name: string | null
  kind: string
  amountSatang: Satang
  subject: string
  subjectName: string | null
  note: string
  secondName: string | null
  isAlone: boolean
}

const MOVE = `SELECT ${columns<MoveRow>({
  ...sqlOf(valueMove, 'm', 'id', 'at', 'kind', 'amountSatang', 'subject', 'note', 'isAlone'),
  uid: 'm.actor_uid',
  name: personName('a'),
  subjectName: subjectName('m'),
  secondName: personName('s'),
})}`
const MOVE_PEOPLE = `LEFT JOIN account a ON a.uid = m.actor_uid LEFT JOIN account s ON s.uid = m.second_uid`

export async function findMove(db: Sql, id: string): Promise<MoveRow | null> {
  const [row] = await db.query<MoveRow>({
    text: `${MOVE} FROM value_move m ${MOVE_PEOPLE} WHERE m.id = $1`,
    values: [id],
  })
  return row ?? null
}

interface Span {
  from: Date
  before: Date
}

/** Returns single movements, newest first. */
export function findMoves(
  db: Sql,
  { from, before, uid, kind }: Span & { uid?: string; kind?: string },
  paging: { page: number; pageSize: number },
): Promise<{ rows: MoveRow[]; total: number }> {
  const filter = new Filter()
  filter.where(from, at => `m.at >= ${at}`)
  filter.where(before, at => `m.at < ${at}`)
  filter.where(uid, each => `m.actor_uid = ${each}`)
  filter.where(kind, each => `m.kind = ${each}`)
  const select = `${MOVE} FROM page m ${MOVE_PEOPLE}`
  return findPage(db, { from: 'value_move m', filter, order: 'm.at DESC, m.id DESC', select }, paging)
}

/** Returns for each person how often and how much they moved in a span, highest sum first. */
export function findMoverSums(
  db: Sql,
  { from, before, kinds }: Span & { kinds: readonly string[] },
): Promise<{ name: string; count: number; sumSatang: Satang }[]> {
  return db.query({
    text: `SELECT coalesce(${personName('a')}, m.actor_uid) AS name, count(*)::int AS count, sum(m.amount_satang)::bigint AS "sumSatang"
      FROM value_move m LEFT JOIN account a ON a.uid = m.actor_uid WHERE m.at >= $1 AND m.at < $2 AND m.kind = ANY($3)
      GROUP BY m.actor_uid, a.uid ORDER BY sum(m.amount_satang) DESC, m.actor_uid`,
    values: [from, before, kinds],
  })
}

export interface MoverRow {
  uid: string
  name: string | null
  role: Caller
  kind: string
  count: number
  sumSatang: Satang
  seconded: number
}

const MOVER = columns<MoverRow>({
  uid: 'm.actor_uid',
  name: personName('a'),
  role: `coalesce(a.role, 'customer')`,
  kind: 'm.kind',
  count: 'count(*)::int',
  sumSatang: 'sum(m.amount_satang)::bigint',
  seconded: 'count(m.second_uid)::int',
})

/** Returns for each person how much they moved, by kind, highest sum first. */
export function findMovers(db: Sql, { from, before }: Span): Promise<MoverRow[]> {
  return db.query<MoverRow>({
    text: `SELECT ${MOVER}
      FROM value_move m LEFT JOIN account a ON a.uid = m.actor_uid WHERE m.at >= $1 AND m.at < $2
      GROUP BY m.actor_uid, a.uid, m.kind
      ORDER BY sum(sum(m.amount_satang)) OVER (PARTITION BY m.actor_uid) DESC, m.actor_uid, "sumSatang" DESC, m.kind`,
    values: [from, before],
  })
}
