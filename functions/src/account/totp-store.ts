import type { TotpState } from '@shop/shared/account/endpoints.ts'
import { type CodeCount, type CodeRecords, NO_CODE_TRIES } from '@shop/shared/account/totp.ts'
import { optionsFrom } from '@shop/shared/settings/option.ts'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { selectList } from '../database/listing.ts'
import { accountTotp, totpSession } from './tables.ts'
import type { TokenIdentity } from './token.ts'

/** One sign-in. */
export type SignInOf = Pick<TokenIdentity, 'uid' | 'signedInAt'>

/** Returns how far a session is with the second factor. Runs on every request of the back office. */
export async function findTotpState(
  db: Sql,
  { uid, signedInAt }: SignInOf,
  sessionHash: string | null,
): Promise<TotpState> {
  const [row] = await db.query<{ isEnrolled: boolean; isConfirmed: boolean; required: string | null }>({
    name: 'totp_state',
    text: `SELECT EXISTS (SELECT 1 FROM account_totp WHERE uid = $1 AND secret IS NOT NULL) AS "isEnrolled",
      EXISTS (SELECT 1 FROM totp_session WHERE key_hash = $3 AND uid = $1 AND signed_in_at = $2
        AND confirmed_at IS NOT NULL) AS "isConfirmed",
      (SELECT value FROM option WHERE name = 'REQUIRE_ADMIN_TOTP') AS required`,
    values: [uid, signedInAt, sessionHash],
  })
  const { isEnrolled, isConfirmed, required } = row!
  const { REQUIRE_ADMIN_TOTP } = optionsFrom({ REQUIRE_ADMIN_TOTP: required ?? undefined })
  return { isRequired: isEnrolled || REQUIRE_ADMIN_TOTP, isEnrolled, isConfirmed }
}

const { uid: _uid, ...kept } = getTableColumns(accountTotp)
export type StoredTotp = Omit<typeof accountTotp.$inferSelect, 'uid'>

/**
 * Returns a person's authenticator app, locked until the transaction ends; without a secret when they have none yet.
 */
export async function lockTotp(tx: Sql, uid: string): Promise<StoredTotp> {
  // The row is created even without an app, because parallel tries wait for its lock.
  await tx.orm.insert(accountTotp).values({ uid }).onConflictDoNothing()
  const [row] = await tx.query<StoredTotp>({
    text: `SELECT ${selectList(kept, 't')} FROM account_totp t WHERE uid = $1 FOR UPDATE`,
    values: [uid],
  })
  return row!
}

export async function saveTotp(tx: Sql, uid: string, totp: Partial<StoredTotp>): Promise<void> {
  await tx.orm.update(accountTotp).set(totp).where(eq(accountTotp.uid, uid))
}

/** Returns every secret that is kept encrypted, also of apps that wait for their first code. */
export const findSealed = (db: Sql, now: Date): Promise<{ uid: string; sealed: string }[]> =>
  db.query({
    text: `SELECT uid, secret AS sealed FROM account_totp WHERE secret IS NOT NULL
      UNION ALL SELECT uid, pending_secret FROM totp_session WHERE pending_secret IS NOT NULL AND pending_until > $1`,
    values: [now],
  })

/** An app that waits for its first code. */
export interface PendingApp {
  /** Encrypted. */
  pendingSecret: string
  pendingUntil: Date
}

/** Returns the app that this very session began to enrol; null when there is none or its time is over. */
export async function findPending(
  tx: Sql,
  { uid, signedInAt }: SignInOf,
  sessionHash: string | null,
  now: Date,
): Promise<PendingApp | null> {
  const [row] = await tx.query<PendingApp>({
    text: `SELECT pending_secret AS "pendingSecret", pending_until AS "pendingUntil" FROM totp_session
      WHERE key_hash = $3 AND uid = $1 AND signed_in_at = $2 AND pending_until > $4`,
    values: [uid, signedInAt, sessionHash, now],
  })
  return row ?? null
}

/** Stores a session and removes the earlier one of the same browser. */
export async function replaceSession(
  tx: Sql,
  replacedHash: string | null,
  session: typeof totpSession.$inferInsert,
): Promise<void> {
  await tx.query({
    text: 'DELETE FROM totp_session WHERE key_hash = $1 AND uid = $2',
    values: [replacedHash, session.uid],
  })
  await tx.orm.insert(totpSession).values(session)
}

/** Deletes the sessions of a person that gave a code. */
export async function deleteConfirmations(tx: Sql, uid: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM totp_session WHERE uid = $1 AND confirmed_at IS NOT NULL', values: [uid] })
}

/** Forgets the apps of a person that wait for their first code. */
export async function deleteWaitingApps(tx: Sql, uid: string): Promise<void> {
  await tx.query({
    text: `WITH gone AS (DELETE FROM totp_session WHERE uid = $1 AND confirmed_at IS NULL)
      UPDATE totp_session SET pending_secret = NULL, pending_until = NULL WHERE uid = $1 AND confirmed_at IS NOT NULL`,
    values: [uid],
  })
}

/** Deletes a person's confirmed sessions, pending apps and counters, because another app replaces theirs. */
export async function forgetConfirmed(tx: Sql, uid: string): Promise<void> {
  for (const table of ['totp_session', 'totp_browser', 'totp_try'])
    await tx.query({ text: `DELETE FROM ${table} WHERE uid = $1`, values: [uid] })
}

/** Deletes a person's app; returns false when there was none. */
export async function deleteTotp(tx: Sql, uid: string): Promise<boolean> {
  await forgetConfirmed(tx, uid)
  const deleted = await tx.query<{ secret: string | null }>({
    text: 'DELETE FROM account_totp WHERE uid = $1 RETURNING secret',
    values: [uid],
  })
  return deleted.some(({ secret }) => secret !== null)
}

/** Whether the person gave a right code from this browser, not too long ago. */
export async function isKnownBrowser(tx: Sql, uid: string, browserHash: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: 'SELECT 1 FROM totp_browser WHERE uid = $1 AND key_hash = $2 AND known_until > $3',
    values: [uid, browserHash, now],
  })
  return rows.length > 0
}

export async function saveBrowser(tx: Sql, uid: string, browserHash: string, knownUntil: Date): Promise<void> {
  await tx.query({
    text: `INSERT INTO totp_browser (uid, key_hash, known_until) VALUES ($1, $2, $3)
      ON CONFLICT (uid, key_hash) DO UPDATE SET known_until = excluded.known_until`,
    values: [uid, browserHash, knownUntil],
  })
}

/** For each counter that a try falls under, the key that is counted. */
export type CountedBy = Partial<Record<CodeCount, string>>

/** Returns the state of these counters. */
export async function findTries(tx: Sql, uid: string, by: CountedBy): Promise<CodeRecords> {
  const rows = await tx.query<{ count: CodeCount; wrongTries: number; lockedUntil: Date | null }>({
    text: `SELECT t.count, t.wrong_tries AS "wrongTries", t.locked_until AS "lockedUntil" FROM totp_try t
      JOIN unnest($2::text[], $3::text[]) AS asked (count, counted) USING (count, counted) WHERE t.uid = $1`,
    values: [uid, Object.keys(by), Object.values(by)],
  })
  const found = new Map(rows.map(({ count, ...record }) => [count, record]))
  return Object.fromEntries((Object.keys(by) as CodeCount[]).map(count => [count, found.get(count) ?? NO_CODE_TRIES]))
}

export async function saveTries(tx: Sql, uid: string, by: CountedBy, records: CodeRecords, now: Date): Promise<void> {
  for (const [count, counted] of Object.entries(by)) {
    const { wrongTries, lockedUntil } = records[count as CodeCount]!
    await tx.query({
      text: `INSERT INTO totp_try (uid, count, counted, wrong_tries, locked_until, tried_at) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (uid, count, counted) DO UPDATE SET wrong_tries = excluded.wrong_tries,
          locked_until = excluded.locked_until, tried_at = excluded.tried_at`,
      values: [uid, count, counted, wrongTries, lockedUntil, now],
    })
  }
}
