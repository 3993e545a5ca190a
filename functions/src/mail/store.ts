import type { WrittenLetter } from '@shop/shared/letter.ts'
import type { UnsentMail } from '@shop/shared/mail/endpoints.ts'
import { addSeconds, DAY_MS } from '@shop/shared/time.ts'
import { sql as drizzled, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, outer, pick, row, sql, under } from '../database/sql.ts'
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
  const stored = { ...mail, id: uuidv7(), createdAt: now, tryUntil: addSeconds(now, TRIES_SECONDS) }
  const [made] = await tx.orm.insert(mailMessage).values(stored).onConflictDoNothing().returning({ id: mailMessage.id })
  if (made) await enqueue(tx, { kind: 'mail.send', key: made.id, payload: { mailId: made.id }, now })
}

/** Returns a waiting mail; null when it no longer waits. */
export async function findWaitingMail(db: Sql, id: string): Promise<StoredMail | null> {
  const [stored] = await db.orm.select().from(mailMessage).where(eq(mailMessage.id, id))
  return stored?.state === 'waiting' ? stored : null
}

/** Stores the state of a mail; `isTry` tells whether to count a try at the server. */
export async function saveMail(
  tx: Sql,
  id: string,
  { isTry = false, ...change }: Partial<Pick<StoredMail, 'state' | 'reason' | 'settledAt'>> & { isTry?: boolean },
): Promise<void> {
  const attempts = drizzled`${mailMessage.attempts} + ${isTry ? 1 : 0}`
  await tx.orm
    .update(mailMessage)
    .set({ ...change, attempts })
    .where(eq(mailMessage.id, id))
}

const [m, a] = [under(mailMessage, 'm'), outer(account, 'a')]
/** Where names stand alone. */
const mail = under(mailMessage)

export async function countDeadSince(db: Sql, since: Date): Promise<number> {
  const [counted] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${m} WHERE ${m.state} = 'dead' AND ${m.settledAt} > $1`,
    values: [since],
  })
  return counted!.n
}

const MOST_LISTED = 50

type UnsentRow = Omit<UnsentMail, 'createdAt'> & { createdAt: Date }

const UNSENT_ROW = row<UnsentRow>({
  ...pick(m, 'id', 'kind', 'uid', 'recipient', 'attempts', 'reason', 'createdAt'),
  state: as.text<UnsentRow['state']>(`${m.state}`),
  name: as.text(`coalesce(${personName('a')}, 'ผู้ซื้อที่ไม่ได้เข้าสู่ระบบ')`),
})

/** Returns the latest mails that were given up, or that failed at least once and are still tried. */
export async function findUnsent(db: Sql): Promise<UnsentRow[]> {
  return db.query({
    text: sql`SELECT ${UNSENT_ROW}
      FROM ${m} LEFT JOIN ${a} ON ${a.uid} = ${m.uid}
      WHERE ${m.state} = 'dead' OR (${m.state} = 'waiting' AND ${m.attempts} > 0) ORDER BY ${m.id} DESC LIMIT ${MOST_LISTED}`,
  })
}

/** Restarts given-up mails for another day, and returns why they had ended. */
export async function takeForResending(tx: Sql, ids: readonly string[], now: Date) {
  const found = under(mailMessage, 'taken')
  const taken = await tx.query({
    text: sql`WITH taken AS (SELECT ${mail.id}, ${mail.reason} FROM ${mail} WHERE ${mail.id} = ANY($1::uuid[]) AND ${mail.state} = 'dead' FOR UPDATE),
        changed AS (UPDATE ${m} SET ${mail.state} = 'waiting', ${mail.reason} = NULL, ${mail.settledAt} = NULL, ${mail.tryUntil} = $2
          FROM taken WHERE ${m.id} = ${found.id})
      SELECT ${row(pick(found, 'id', 'reason'))} FROM taken ORDER BY ${found.id}`,
    values: [ids, addSeconds(now, TRIES_SECONDS)],
  })
  for (const { id } of taken)
    await enqueue(tx, { kind: 'mail.send', key: `${id}:${now.toISOString()}`, payload: { mailId: id }, now })
  return taken
}
