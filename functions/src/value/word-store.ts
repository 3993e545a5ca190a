import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import { type Caller, can } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { WORD_SECONDS, type WordAction, type WordState } from '@shop/shared/value/value.ts'
import { and, desc, eq, getTableColumns, gt, isNull } from 'drizzle-orm'
import { audit, subjectName } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { columns, Filter, findPage, personName, selectList } from '../database/listing.ts'
import { secondWord } from './tables.ts'

export type WordRow = typeof secondWord.$inferSelect

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
  word: { id: string; askedBy: string; secondUid: string; isRepeated: boolean },
  now: Date,
): Promise<'first' | 'again' | null> {
  const taken = await tx.query({
    text: `UPDATE second_word SET state = 'given', decided_by = $3, decided_at = coalesce(decided_at, $4), used_at = $4
      WHERE id = $1 AND asked_by = $2 AND state = $5 AND used_at IS NULL AND (decided_by IS NULL OR decided_by = $3)
      RETURNING id`,
    values: [word.id, word.askedBy, word.secondUid, now, word.isRepeated ? 'given' : 'waiting'],
  })
  if (taken.length > 0) return 'first'
  // The row as this same transaction wrote it.
  const own = await tx.query({
    text: `SELECT FROM second_word WHERE id = $1 AND asked_by = $2 AND xmin = pg_current_xact_id()::xid`,
    values: [word.id, word.askedBy],
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
    text: `UPDATE second_word SET state = 'stale', decided_at = $2, reason = $3
      WHERE subject = $1 AND state = 'waiting' AND id IS DISTINCT FROM $4`,
    values: [subject, now, DONE, own],
  })
}

const { input: _input, once: _once, digest: _digest, ...shownColumns } = getTableColumns(secondWord)

/** A question in the form that people see. */
export interface WordView extends Pick<WordRow, keyof typeof shownColumns> {
  isRepeated: boolean
  subjectName: string | null
  askedByName: string | null
  decidedByName: string | null
}

const VIEW = `SELECT ${selectList(shownColumns, 'w')}, ${columns<Omit<WordView, keyof typeof shownColumns>>({
  isRepeated: 'w.input IS NULL',
  subjectName: subjectName('w'),
  askedByName: personName('a'),
  decidedByName: personName('d'),
})}`
const VIEW_PEOPLE = 'LEFT JOIN account a ON a.uid = w.asked_by LEFT JOIN account d ON d.uid = w.decided_by'

export async function findWordView(db: Sql, id: string): Promise<WordView | null> {
  const [row] = await db.query<WordView>({
    text: `${VIEW} FROM second_word w ${VIEW_PEOPLE} WHERE w.id = $1`,
    values: [id],
  })
  return row ?? null
}

/** Returns the questions that somebody asked and those that they may decide; waiting ones come oldest first. */
export function findWords(
  db: Sql,
  { uid, caller, isWaiting, now }: { uid: string; caller: Caller; isWaiting: boolean; now: Date },
  paging: { page: number; pageSize: number },
): Promise<{ rows: WordView[]; total: number }> {
  const filter = new Filter()
  filter.must(`(w.asked_by = ${filter.bind(uid)} OR w.action = ANY(${filter.bind(wordActionsOf(caller))}))`)
  const limit = filter.bind(addSeconds(now, -WORD_SECONDS))
  filter.must(
    isWaiting ? `w.state = 'waiting' AND w.asked_at > ${limit}` : `(w.state <> 'waiting' OR w.asked_at <= ${limit})`,
  )
  const order = isWaiting ? 'w.asked_at, w.id' : 'w.asked_at DESC, w.id DESC'
  return findPage(db, { from: 'second_word w', filter, order, select: `${VIEW} FROM page w ${VIEW_PEOPLE}` }, paging)
}
