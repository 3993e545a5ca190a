import { chatCode } from '../chat/tables.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { linkedIdentity, signInAttempt, usedIdToken } from './tables.ts'

const [attempts, tokens, links, codes] = [
  under(signInAttempt),
  under(usedIdToken),
  under(linkedIdentity),
  under(chatCode),
]

type SignInAttempt = typeof signInAttempt.$inferSelect

/** Keeps a started sign-in and drops those nobody came back from. */
export async function insertAttempt(db: Sql, attempt: SignInAttempt, now: Date): Promise<void> {
  await db.query({ text: sql`DELETE FROM ${attempts} WHERE ${attempts.expiresAt} <= $1`, values: [now] })
  await db.orm.insert(signInAttempt).values(attempt)
}

/**
 * Takes out a sign-in that this browser started. Returns null when it does not exist, has expired or was taken before.
 */
export async function takeAttempt(
  db: Sql,
  attempt: { stateHash: string; browserHash: string; now: Date },
): Promise<Pick<SignInAttempt, 'nonce' | 'codeVerifier'> | null> {
  const [taken] = await db.query({
    text: sql`DELETE FROM ${attempts} WHERE ${attempts.stateHash} = $1 AND ${attempts.browserHash} = $2 AND ${attempts.expiresAt} > $3
      RETURNING ${row(pick(attempts, 'nonce', 'codeVerifier'))}`,
    values: [attempt.stateHash, attempt.browserHash, attempt.now],
  })
  return taken ?? null
}

/** Records that an ID token was used; returns false when it had been used before. */
export async function insertUsedToken(db: Sql, tokenHash: string, expiresAt: Date, now: Date): Promise<boolean> {
  await db.query({ text: sql`DELETE FROM ${tokens} WHERE ${tokens.expiresAt} <= $1`, values: [now] })
  const inserted = await db.orm.insert(usedIdToken).values({ tokenHash, expiresAt }).onConflictDoNothing().returning()
  return inserted.length === 1
}

/** Returns the account that a LINE identity is linked to and when it was linked, or null. */
export async function findLineLink(db: Sql, sub: string): Promise<{ uid: string; linkedAt: Date } | null> {
  const [link] = await db.query({
    text: sql`SELECT ${row(pick(links, 'uid', 'linkedAt'))} FROM ${links} WHERE ${links.provider} = 'line' AND ${links.subject} = $1`,
    values: [sub],
  })
  return link ?? null
}

/**
 * Links a LINE identity to an account. Violates `linked_identity_subject` or `linked_identity_account` when either
 * already has a link.
 */
export async function insertLineLink(tx: Sql, link: { sub: string; uid: string; now: Date }): Promise<void> {
  await tx.orm.insert(linkedIdentity).values({ provider: 'line', subject: link.sub, uid: link.uid, linkedAt: link.now })
}

/** Removes the pending code that would link a LINE identity to the account from the chat. */
export async function deleteLineCode(tx: Sql, uid: string): Promise<void> {
  await tx.query({
    text: sql`DELETE FROM ${codes} WHERE ${codes.purpose} = 'person' AND ${codes.uid} = $1`,
    values: [uid],
  })
}

/** Removes the account's LINE identity, if it has one, and the pending code that would link one. */
export async function deleteLineLink(tx: Sql, uid: string): Promise<void> {
  await deleteLineCode(tx, uid)
  await tx.query({
    text: sql`DELETE FROM ${links} WHERE ${links.provider} = 'line' AND ${links.uid} = $1`,
    values: [uid],
  })
}
