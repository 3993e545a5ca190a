import type { Sql } from '../database/database.ts'
import { linkedIdentity, signInAttempt, usedIdToken } from './tables.ts'

type SignInAttempt = typeof signInAttempt.$inferSelect

/** Keeps a started sign-in and drops those nobody came back from. */
export async function insertAttempt(db: Sql, attempt: SignInAttempt, now: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM sign_in_attempt WHERE expires_at <= $1', values: [now] })
  await db.orm.insert(signInAttempt).values(attempt)
}

/**
 * Takes out a sign-in that this browser started. Returns null when it does not exist, has expired or was taken before.
 */
export async function takeAttempt(
  db: Sql,
  attempt: { stateHash: string; browserHash: string; now: Date },
): Promise<Pick<SignInAttempt, 'nonce' | 'codeVerifier'> | null> {
  const [row] = await db.query<{ nonce: string; codeVerifier: string }>({
    text: `DELETE FROM sign_in_attempt WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
      RETURNING nonce, code_verifier AS "codeVerifier"`,
    values: [attempt.stateHash, attempt.browserHash, attempt.now],
  })
  return row ?? null
}

/** Records that an ID token was used; returns false when it had been used before. */
export async function insertUsedToken(db: Sql, tokenHash: string, expiresAt: Date, now: Date): Promise<boolean> {
  await db.query({ text: 'DELETE FROM used_id_token WHERE expires_at <= $1', values: [now] })
  const inserted = await db.orm.insert(usedIdToken).values({ tokenHash, expiresAt }).onConflictDoNothing().returning()
  return inserted.length === 1
}

/** Returns the account that a LINE identity is linked to and when it was linked, or null. */
export async function findLineLink(db: Sql, sub: string): Promise<{ uid: string; linkedAt: Date } | null> {
  const [row] = await db.query<{ uid: string; linkedAt: Date }>({
    text: `SELECT uid, linked_at AS "linkedAt" FROM linked_identity WHERE provider = 'line' AND subject = $1`,
    values: [sub],
  })
  return row ?? null
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
  await tx.query({ text: `DELETE FROM chat_code WHERE purpose = 'person' AND uid = $1`, values: [uid] })
}

/** Removes the account's LINE identity, if it has one, and the pending code that would link one. */
export async function deleteLineLink(tx: Sql, uid: string): Promise<void> {
  await deleteLineCode(tx, uid)
  await tx.query({ text: `DELETE FROM linked_identity WHERE provider = 'line' AND uid = $1`, values: [uid] })
}
