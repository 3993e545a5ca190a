import type { WrittenLetter } from '@shop/shared/letter.ts'
import type { UnsentMail } from '@shop/shared/mail/endpoints.ts'
import { addSeconds, DAY_MS } from '@shop/shared/time.ts'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { columns, personName, sqlOf } from '../database/listing.ts'
import { enqueue } from '../outbox/outbox.ts'
import { mailMessage } from './tables.ts'

export type StoredMail = typeof mailMessage.$inferSelect

/** How long sending a mail is tried. */
const TRIES_SECONDS = DAY_MS / 1000

/**
 * Stores a mail and the job that sends it, in the transaction of the change that it reports. Does nothing when the key
 * exists already.
 */
export async function putMail(
  tx: Sql,
  mail: Pick<StoredMail, 'key' | 'kind' | 'uid' | 'recipient'> & WrittenLetter,
  now: Date,
): Promise<void> {
  const row = { ...mail, id: uuidv7(), createdAt: now, tryUntil: addSeconds(now, TRIES_SECONDS) }
  const [made] = await tx.orm.insert(mailMessage).values(row).onConflictDoNothing().returning({ id: mailMessage.id })
  if (made) await enqueue(tx, { kind: 'mail.send', key: made.id, payload: { mailId: made.id }, now })
}

/** Returns a waiting mail; null when it no longer waits. */
export async function findWaitingMail(db: Sql, id: string): Promise<StoredMail | null> {
  const [row] = await db.orm.select().from(mailMessage).where(eq(mailMessage.id, id))
  return row?.state === 'waiting' ? row : null
}

/** Stores the state of a mail; `isTry` tells whether to count a try at the server. */
export async function saveMail(
  tx: Sql,
  id: string,
  { isTry = false, ...change }: Partial<Pick<StoredMail, 'state' | 'reason' | 'settledAt'>> & { isTry?: boolean },
): Promise<void> {
  const attempts = sql`${mailMessage.attempts} + ${isTry ? 1 : 0}`
  await tx.orm
    .update(mailMessage)
    .set({ ...change, attempts })
    .where(eq(mailMessage.id, id))
}

export async function countDeadSince(db: Sql, since: Date): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM mail_message WHERE state = 'dead' AND settled_at > $1`,
    values: [since],
  })
  return row!.n
}

const MOST_LISTED = 50

type UnsentRow = Omit<UnsentMail, 'createdAt'> & { createdAt: Date }

const UNSENT_ROW = columns<UnsentRow>({
  ...sqlOf(mailMessage, 'm', 'id', 'kind', 'uid', 'recipient', 'state', 'attempts', 'reason', 'createdAt'),
  name: `coalesce(${personName('a')}, 'ผู้ซื้อที่ไม่ได้เข้าสู่ระบบ')`,
})

/** Returns the latest mails that were given up, or that failed at least once and are still tried. */
export async function findUnsent(db: Sql): Promise<UnsentRow[]> {
  return db.query<UnsentRow>({
    text: `SELECT ${UNSENT_ROW}
      FROM mail_message m LEFT JOIN account a ON a.uid = m.uid
      WHERE m.state = 'dead' OR (m.state = 'waiting' AND m.attempts > 0) ORDER BY m.id DESC LIMIT ${MOST_LISTED}`,
  })
}

/** Restarts given-up mails for another day, and returns why they had ended. */
export async function takeForResending(tx: Sql, ids: readonly string[], now: Date) {
  const taken = await tx.query<{ id: string; reason: string | null }>({
    text: `WITH taken AS (SELECT id, reason FROM mail_message WHERE id = ANY($1::uuid[]) AND state = 'dead' FOR UPDATE),
        changed AS (UPDATE mail_message m SET state = 'waiting', reason = NULL, settled_at = NULL, try_until = $2
          FROM taken WHERE m.id = taken.id)
      SELECT id, reason FROM taken ORDER BY id`,
    values: [ids, addSeconds(now, TRIES_SECONDS)],
  })
  for (const { id } of taken)
    await enqueue(tx, { kind: 'mail.send', key: `${id}:${now.toISOString()}`, payload: { mailId: id }, now })
  return taken
}
