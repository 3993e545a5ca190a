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
import { account } from '../account/tables.ts'
import { subjectName } from '../audit/store.ts'
import { auditEntry } from '../audit/tables.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, personName } from '../database/listing.ts'
import { as, coalesce, type Expr, locked, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { option } from '../settings/tables.ts'
import { valueMove } from './tables.ts'

const [m, a, s] = [under(valueMove, 'm'), outer(account, 'a'), outer(account, 's')]

/** Returns the amount in satang above which a single person may not move money alone, as this transaction sees it. */
export async function findTwoPersonAmount(db: Sql): Promise<Satang> {
  const set = under(option, 'o')
  const [found] = await db.query({
    text: sql`SELECT ${row(pick(set, 'value'))} FROM ${set} WHERE ${set.name} = 'TWO_PERSON_APPROVAL_AMOUNT'`,
  })
  const { read, standard } = OPTION.TWO_PERSON_APPROVAL_AMOUNT
  return (read(found?.value ?? '') ?? standard) * 100
}

/** Locks a person's movements, so that they happen one after another until the end of the transaction. */
export async function lockMover(tx: Sql, uid: string): Promise<void> {
  await tx.query({ text: sql`SELECT ${locked('$1')}`, values: [`value:${uid}`] })
}

/** Returns what somebody moved alone on the Bangkok day of `now`. */
export async function findMovedToday(tx: Sql, uid: string, now: Date): Promise<Satang> {
  const [moved] = await tx.query({
    text: sql`SELECT ${row({ sum: as.satang(`coalesce(sum(${m.amountSatang}), 0)`) })} FROM ${m}
      WHERE ${m.actorUid} = $1 AND ${m.at} >= $2 AND ${m.kind} = ANY($3) AND ${m.secondUid} IS NULL AND NOT ${m.isAlone}`,
    values: [uid, startOfBangkokDay(bangkokDay(now)), COUNTED_MOVES],
  })
  return moved!.sum
}

/** Who works with the shop's own database, outside of any account; in the audit log and among the movers. */
export const OPERATOR = { uid: 'operator', role: 'admin' } as const

const wasAdmin = (side: Expr<unknown>): string =>
  `(coalesce(${side}->>'role', '') = 'admin' AND ${side}->>'status' IS DISTINCT FROM 'inactive')`

const [ended, held, said, made, lost] = [
  under(auditEntry, 'ended'),
  under(auditEntry, 'held'),
  under(auditEntry, 'said'),
  under(auditEntry, 'made'),
  under(auditEntry, 'lost'),
]
const [gone, agreed, other] = [under(account, 'gone'), under(valueMove, 'agreed'), under(account, 'a')]

/**
 * The condition that the person $2 ended an admin who is none now: by themself, by agreeing to it, or in the name of
 * whoever resigned, whose secrets they once set. It holds for good, or one would only have to wait; what the operator has
 * said about the same person since ends it. Whom they made an admin within a fortnight before was nobody else to them.
 */
const ENDED_AN_ADMIN = `EXISTS (
  SELECT 1 FROM ${ended} JOIN ${gone} ON ${ended.subject} = 'account:' || ${gone.uid}
  WHERE ${ended.action} = 'account.setRole' AND ${gone.uid} <> $2 AND (${gone.role} <> 'admin' OR ${gone.status} = 'inactive')
    AND ${wasAdmin(ended.before)} AND NOT ${wasAdmin(ended.after)}
    AND (${ended.actorUid} = $2
      OR EXISTS (SELECT 1 FROM ${agreed} WHERE ${agreed.kind} = 'adminEnded' AND ${agreed.subject} = ${ended.subject}
        AND ${agreed.at} = ${ended.at} AND ${agreed.secondUid} = $2)
      OR (${ended.actorUid} = ${gone.uid} AND EXISTS (SELECT 1 FROM ${held} WHERE ${held.subject} = ${ended.subject}
        AND ${held.actorUid} = $2 AND ${held.at} <= ${ended.at}
        AND ${held.action} IN ('account.resetPassword', 'account.resetTotp', 'agent.create'))))
    AND NOT EXISTS (SELECT 1 FROM ${said} WHERE ${said.subject} = ${ended.subject} AND ${said.action} = 'account.setRole'
      AND ${said.actorUid} = '${OPERATOR.uid}' AND ${said.at} >= ${ended.at})
    AND NOT EXISTS (SELECT 1 FROM ${made} WHERE ${made.subject} = ${ended.subject} AND ${made.action} = 'account.setRole'
      AND ${made.actorUid} = $2 AND ${ended.actorUid} = $2
      AND ${made.at} BETWEEN ${ended.at} - ${RANK_TIE_SECONDS} * interval '1 second' AND ${ended.at}
      AND ${wasAdmin(made.after)} AND NOT ${wasAdmin(made.before)}))`

/**
 * Tells whether another person may agree to such an action, or could within the last days, so that nobody becomes the
 * only one by waiting. People whom they recently gave such a rank do not count. Whoever ended an admin always has others:
 * nobody is alone by their own act.
 */
export async function hasOthers(tx: Sql, action: WordAction, uid: string, now: Date): Promise<boolean> {
  const roles = ROLES.filter(role => can(role, action))
  const hadIt = ({ before }: typeof made) =>
    `(${before}->>'role' = ANY($1) AND ${before}->>'status' IS DISTINCT FROM 'inactive')`
  const found =
    as.bool(`EXISTS (SELECT 1 FROM ${other} WHERE ${other.role} = ANY($1) AND ${other.status} <> 'inactive' AND ${other.uid} <> $2
        AND NOT EXISTS (SELECT 1 FROM ${made} WHERE ${made.action} = 'account.setRole' AND ${made.actorUid} = $2
          AND ${made.at} > $3 AND ${made.subject} = 'account:' || ${other.uid} AND NOT ${hadIt(made)}))
      OR EXISTS (SELECT 1 FROM ${lost} WHERE ${lost.action} = 'account.setRole' AND ${lost.at} > $4
        AND ${lost.subject} <> 'account:' || $2 AND ${hadIt(lost)})
      OR ${ENDED_AN_ADMIN}`)
  const [answer] = await tx.query({
    text: sql`SELECT ${row({ found })}`,
    values: [roles, uid, addSeconds(now, -RANK_TIE_SECONDS), addSeconds(now, -LOST_RIGHT_SECONDS)],
  })
  return answer!.found
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

const NAME = orNull(personName('a'))
const MOVE = row<MoveRow>({
  ...pick(m, 'id', 'at', 'kind', 'amountSatang', 'subject', 'note', 'isAlone'),
  uid: m.actorUid,
  name: NAME,
  subjectName: subjectName('m'),
  secondName: orNull(personName('s')),
})
const BY_MOVER = sql`LEFT JOIN ${a} ON ${a.uid} = ${m.actorUid}`
const MOVE_PEOPLE = sql`${BY_MOVER} LEFT JOIN ${s} ON ${s.uid} = ${m.secondUid}`

export async function findMove(db: Sql, id: string): Promise<MoveRow | null> {
  const [found] = await db.query({
    text: sql`SELECT ${MOVE} FROM ${m} ${MOVE_PEOPLE} WHERE ${m.id} = $1`,
    values: [id],
  })
  return found ?? null
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
  filter.where(from, at => `${m.at} >= ${at}`)
  filter.where(before, at => `${m.at} < ${at}`)
  filter.where(uid, each => `${m.actorUid} = ${each}`)
  filter.where(kind, each => `${m.kind} = ${each}`)
  const select = sql`SELECT ${MOVE} FROM page m ${MOVE_PEOPLE}`
  return findPage(db, { from: `${m}`, filter, order: `${m.at} DESC, ${m.id} DESC`, select }, paging)
}

const MOVED = { count: as.int('count(*)'), sumSatang: as.satang(`sum(${m.amountSatang})`) }

/** Returns for each person how often and how much they moved in a span, highest sum first. */
export function findMoverSums(
  db: Sql,
  { from, before, kinds }: Span & { kinds: readonly string[] },
): Promise<{ name: string; count: number; sumSatang: Satang }[]> {
  return db.query({
    text: sql`SELECT ${row({ ...MOVED, name: coalesce(NAME, m.actorUid) })}
      FROM ${m} ${BY_MOVER} WHERE ${m.at} >= $1 AND ${m.at} < $2 AND ${m.kind} = ANY($3)
      GROUP BY ${m.actorUid}, ${a.uid} ORDER BY sum(${m.amountSatang}) DESC, ${m.actorUid}`,
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

const MOVER = row<MoverRow>({
  uid: m.actorUid,
  name: NAME,
  role: coalesce(a.role, as.text<'customer'>(`'customer'`)),
  kind: m.kind,
  ...MOVED,
  seconded: as.int(`count(${m.secondUid})`),
})

/** Returns for each person how much they moved, by kind, highest sum first. */
export function findMovers(db: Sql, { from, before }: Span): Promise<MoverRow[]> {
  return db.query({
    text: sql`SELECT ${MOVER}
      FROM ${m} ${BY_MOVER} WHERE ${m.at} >= $1 AND ${m.at} < $2
      GROUP BY ${m.actorUid}, ${a.uid}, ${m.kind}
      ORDER BY sum(sum(${m.amountSatang})) OVER (PARTITION BY ${m.actorUid}) DESC, ${m.actorUid}, "sumSatang" DESC, ${m.kind}`,
    values: [from, before],
  })
}
