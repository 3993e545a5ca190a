import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import { type Caller, can } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { WORD_SECONDS, type WordAction, type WordState } from '@shop/shared/value/value.ts'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { account } from '../account/tables.ts'
import { audit, subjectName } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { Filter, findPage, personName } from '../database/listing.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import { secondWord } from './tables.ts'

export type WordRow = typeof secondWord.$inferSelect

const w = under(secondWord, 'w')
/** The same where names stand alone. */
const word = under(secondWord)

/** Returns the actions that a caller may agree to. */
export const wordActionsOf = (caller: Caller): WordAction[] =>
  (['value.second', 'value.secondAdmin'] as const).filter(action => can(caller, action))

/** Stores a question; the same one that already waits stays unchanged. */
export async function insertWord(tx: Sql, row: WordRow): Promise<{ id: string; isNew: boolean }> {
  const [made] = await tx.orm
    .insert(secondWord)
    .values(row)
    .onConflictDoNothing({ target: secondWord.digest, where: eq(secondWord.state, 'waiting') })
    .returning({ id: secondWord.id })
  if (made) return { id: made.id, isNew: true }
  const [there] = await tx.orm
    .select({ id: secondWord.id })
    .from(secondWord)
    .where(and(eq(secondWord.digest, row.digest), eq(secondWord.state, 'waiting')))
  return there ? { id: there.id, isNew: false } : insertWord(tx, row)
}

export async function findWord(db: Sql, id: string): Promise<WordRow | null> {
  const [row] = await db.orm.select().from(secondWord).where(eq(secondWord.id, id))
  return row ?? null
}

/** Returns an unused agreement to a call that the asker repeats, the one for the highest amount. */
export async function findUnusedWord(db: Sql, digest: string, now: Date): Promise<WordRow | null> {
  const [row] = await db.orm
    .select()
    .from(secondWord)
    .where(
      and(
        eq(secondWord.digest, digest),
        eq(secondWord.state, 'given'),
        isNull(secondWord.usedAt),
        gt(secondWord.decidedAt, addSeconds(now, -WORD_SECONDS)),
      ),
    )
    .orderBy(desc(secondWord.amountSatang))
    .limit(1)
  return row ?? null
}

/**
 * Uses up an agreement in the transaction that carries out what it covers; null when it was used or is over. An action
 * that moves value in several steps takes it `again`.
 */
export async function takeWord(
  tx: Sql,
  asked: { id: string; askedBy: string; secondUid: string; isRepeated: boolean },
  now: Date,
): Promise<'first' | 'again' | null> {
  const taken = await tx.query({
    text: sql`UPDATE ${word} SET ${word.state} = 'given', ${word.decidedBy} = $3, ${word.decidedAt} = coalesce(${word.decidedAt}, $4), ${word.usedAt} = $4
      WHERE ${word.id} = $1 AND ${word.askedBy} = $2 AND ${word.state} = $5 AND ${word.usedAt} IS NULL AND (${word.decidedBy} IS NULL OR ${word.decidedBy} = $3)
      RETURNING ${row(pick(word, 'id'))}`,
    values: [asked.id, asked.askedBy, asked.secondUid, now, asked.isRepeated ? 'given' : 'waiting'],
  })
  if (taken.length > 0) return 'first'
  // The row as this same transaction wrote it.
  const own = await tx.query({
    text: sql`SELECT FROM ${word} WHERE ${word.id} = $1 AND ${word.askedBy} = $2 AND xmin = pg_current_xact_id()::xid`,
    values: [asked.id, asked.askedBy],
  })
  return own.length > 0 ? 'again' : null
}

/** Records in the audit log who agreed to or refused a question, and what it was. */
export async function auditWord(
  tx: Sql,
  by: { uid: string; role: Caller; now: Date },
  word: Pick<WordRow, 'id' | 'askedBy' | 'kind' | 'amountSatang' | 'note'>,
  refusal: string | null = null,
): Promise<void> {
  const { kind, amountSatang, note, askedBy } = word
  const after = { kind, amountSatang, target: note, uid: askedBy, ...(refusal !== null && { reason: refusal }) }
  const action = refusal === null ? 'value.give' : 'value.refuse'
  await audit(tx, by, { action, subject: `secondWord:${word.id}`, before: null, after })
}

/** Ends a question; returns false when it was over already. */
export async function settleWord(
  db: Sql,
  id: string,
  settled: { state: Exclude<WordState, 'waiting'>; by: string | null; at: Date; reason: string | null },
): Promise<boolean> {
  const done = await db.orm
    .update(secondWord)
    .set({ state: settled.state, decidedBy: settled.by, decidedAt: settled.at, reason: settled.reason })
    .where(and(eq(secondWord.id, id), eq(secondWord.state, 'waiting')))
    .returning({ id: secondWord.id })
  return done.length > 0
}

/** What the asker reads of a question that nobody needs to answer any more. */
const DONE = 'รายการนี้ทำเสร็จไปแล้ว'

/** Ends the questions about something that is done. @param own the one whose agreement covered it */
export async function endWords(tx: Sql, subject: AuditSubject, now: Date, own: string | null = null): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${word} SET ${word.state} = 'stale', ${word.decidedAt} = $2, ${word.reason} = $3
      WHERE ${word.subject} = $1 AND ${word.state} = 'waiting' AND ${word.id} IS DISTINCT FROM $4`,
    values: [subject, now, DONE, own],
  })
}

const { input: _input, once: _once, digest: _digest, ...shown } = w

/** A question in the form that people see. */
export interface WordView extends Pick<WordRow, keyof typeof shown> {
  isRepeated: boolean
  subjectName: string | null
  askedByName: string | null
  decidedByName: string | null
}

const [a, d] = [outer(account, 'a'), outer(account, 'd')]
const VIEW = row<WordView>({
  ...shown,
  isRepeated: as.bool(`${w.input} IS NULL`),
  subjectName: subjectName('w'),
  askedByName: orNull(personName('a')),
  decidedByName: orNull(personName('d')),
})
const VIEW_PEOPLE = sql`LEFT JOIN ${a} ON ${a.uid} = ${w.askedBy} LEFT JOIN ${d} ON ${d.uid} = ${w.decidedBy}`

export async function findWordView(db: Sql, id: string): Promise<WordView | null> {
  const [found] = await db.query({
    text: sql`SELECT ${VIEW} FROM ${w} ${VIEW_PEOPLE} WHERE ${w.id} = $1`,
    values: [id],
  })
  return found ?? null
}

/** Returns the questions that somebody asked and those that they may decide; waiting ones come oldest first. */
export function findWords(
  db: Sql,
  { uid, caller, isWaiting, now }: { uid: string; caller: Caller; isWaiting: boolean; now: Date },
  paging: { page: number; pageSize: number },
): Promise<{ rows: WordView[]; total: number }> {
  const filter = new Filter()
  filter.must(`(${w.askedBy} = ${filter.bind(uid)} OR ${w.action} = ANY(${filter.bind(wordActionsOf(caller))}))`)
  const limit = filter.bind(addSeconds(now, -WORD_SECONDS))
  filter.must(
    isWaiting
      ? `${w.state} = 'waiting' AND ${w.askedAt} > ${limit}`
      : `(${w.state} <> 'waiting' OR ${w.askedAt} <= ${limit})`,
  )
  const order = isWaiting ? `${w.askedAt}, ${w.id}` : `${w.askedAt} DESC, ${w.id} DESC`
  const select = sql`SELECT ${VIEW} FROM page w ${VIEW_PEOPLE}`
  return findPage(db, { from: `${w}`, filter, order, select }, paging)
}
