import type { TotpState } from '@shop/shared/account/endpoints.ts'
import { type CodeCount, type CodeRecords, NO_CODE_TRIES } from '@shop/shared/account/totp.ts'
import { optionsFrom } from '@shop/shared/settings/option.ts'
import { keysOf } from '@shop/shared/table.ts'
import { eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, notNull, orNull, pick, row, sql, under } from '../database/sql.ts'
import { excludedSql } from '../database/values.ts'
import { option } from '../settings/tables.ts'
import { accountTotp, totpBrowser, totpSession, totpTry } from './tables.ts'
import type { TokenIdentity } from './token.ts'

const [app, session, browser, tried] = [under(accountTotp), under(totpSession), under(totpBrowser), under(totpTry)]

/** One sign-in. */
export type SignInOf = Pick<TokenIdentity, 'uid' | 'signedInAt'>

const set = under(option)
const STATE = sql`SELECT ${row({
  isEnrolled: as.bool(`EXISTS (SELECT 1 FROM ${app} WHERE ${app.uid} = $1 AND ${app.secret} IS NOT NULL)`),
  isConfirmed: as.bool(`EXISTS (SELECT 1 FROM ${session} WHERE ${session.keyHash} = $3 AND ${session.uid} = $1
    AND ${session.signedInAt} = $2 AND ${session.confirmedAt} IS NOT NULL)`),
  required: orNull(as.text(`(SELECT ${set.value} FROM ${set} WHERE ${set.name} = 'REQUIRE_ADMIN_TOTP')`)),
})}`

/** Returns how far a session is with the second factor. Runs on every request of the back office. */
export async function findTotpState(
  db: Sql,
  { uid, signedInAt }: SignInOf,
  sessionHash: string | null,
): Promise<TotpState> {
  const [state] = await db.query({ name: 'totp_state', text: STATE, values: [uid, signedInAt, sessionHash] })
  const { isEnrolled, isConfirmed, required } = state!
  const { REQUIRE_ADMIN_TOTP } = optionsFrom({ REQUIRE_ADMIN_TOTP: required ?? undefined })
  return { isRequired: isEnrolled || REQUIRE_ADMIN_TOTP, isEnrolled, isConfirmed }
}

const { uid: _uid, ...kept } = app
export type StoredTotp = Omit<typeof accountTotp.$inferSelect, 'uid'>

/**
 * Returns a person's authenticator app, locked until the transaction ends; without a secret when they have none yet.
 */
export async function lockTotp(tx: Sql, uid: string): Promise<StoredTotp> {
  // The row is created even without an app, because parallel tries wait for its lock.
  await tx.orm.insert(accountTotp).values({ uid }).onConflictDoNothing()
  const [totp] = await tx.query({
    text: sql`SELECT ${row<StoredTotp>(kept)} FROM ${app} WHERE ${app.uid} = $1 FOR UPDATE`,
    values: [uid],
  })
  return totp!
}

export async function saveTotp(tx: Sql, uid: string, totp: Partial<StoredTotp>): Promise<void> {
  await tx.orm.update(accountTotp).set(totp).where(eq(accountTotp.uid, uid))
}

/** Returns every secret that is kept encrypted, also of apps that wait for their first code. */
export const findSealed = (db: Sql, now: Date): Promise<{ uid: string; sealed: string }[]> =>
  db.query({
    text: sql`SELECT ${row({ uid: app.uid, sealed: notNull(app.secret) })} FROM ${app} WHERE ${app.secret} IS NOT NULL
      UNION ALL SELECT ${row({ uid: session.uid, sealed: notNull(session.pendingSecret) })} FROM ${session}
        WHERE ${session.pendingSecret} IS NOT NULL AND ${session.pendingUntil} > $1`,
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
  const pending = row<PendingApp>({
    // Both are stored at once.
    pendingSecret: notNull(session.pendingSecret),
    pendingUntil: notNull(session.pendingUntil),
  })
  const [found] = await tx.query({
    text: sql`SELECT ${pending} FROM ${session}
      WHERE ${session.keyHash} = $3 AND ${session.uid} = $1 AND ${session.signedInAt} = $2 AND ${session.pendingUntil} > $4`,
    values: [uid, signedInAt, sessionHash, now],
  })
  return found ?? null
}

/** Stores a session and removes the earlier one of the same browser. */
export async function replaceSession(
  tx: Sql,
  replacedHash: string | null,
  opened: typeof totpSession.$inferInsert,
): Promise<void> {
  await tx.query({
    text: sql`DELETE FROM ${session} WHERE ${session.keyHash} = $1 AND ${session.uid} = $2`,
    values: [replacedHash, opened.uid],
  })
  await tx.orm.insert(totpSession).values(opened)
}

/** Deletes the sessions of a person that gave a code. */
export async function deleteConfirmations(tx: Sql, uid: string): Promise<void> {
  const text = sql`DELETE FROM ${session} WHERE ${session.uid} = $1 AND ${session.confirmedAt} IS NOT NULL`
  await tx.query({ text, values: [uid] })
}

/** Forgets the apps of a person that wait for their first code. */
export async function deleteWaitingApps(tx: Sql, uid: string): Promise<void> {
  await tx.query({
    text: sql`WITH gone AS (DELETE FROM ${session} WHERE ${session.uid} = $1 AND ${session.confirmedAt} IS NULL)
      UPDATE ${session} SET ${session.pendingSecret} = NULL, ${session.pendingUntil} = NULL
      WHERE ${session.uid} = $1 AND ${session.confirmedAt} IS NOT NULL`,
    values: [uid],
  })
}

/** Deletes a person's confirmed sessions, pending apps and counters, because another app replaces theirs. */
export async function forgetConfirmed(tx: Sql, uid: string): Promise<void> {
  for (const table of [session, browser, tried])
    await tx.query({ text: sql`DELETE FROM ${table} WHERE ${table.uid} = $1`, values: [uid] })
}

/** Deletes a person's app; returns false when there was none. */
export async function deleteTotp(tx: Sql, uid: string): Promise<boolean> {
  await forgetConfirmed(tx, uid)
  const deleted = await tx.query({
    text: sql`DELETE FROM ${app} WHERE ${app.uid} = $1 RETURNING ${row(pick(app, 'secret'))}`,
    values: [uid],
  })
  return deleted.some(({ secret }) => secret !== null)
}

/** Whether the person gave a right code from this browser, not too long ago. */
export async function isKnownBrowser(tx: Sql, uid: string, browserHash: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: sql`SELECT FROM ${browser} WHERE ${browser.uid} = $1 AND ${browser.keyHash} = $2 AND ${browser.knownUntil} > $3`,
    values: [uid, browserHash, now],
  })
  return rows.length > 0
}

export async function saveBrowser(tx: Sql, uid: string, browserHash: string, knownUntil: Date): Promise<void> {
  await tx.query({
    text: sql`INSERT INTO ${browser} (${browser.uid}, ${browser.keyHash}, ${browser.knownUntil}) VALUES ($1, $2, $3)
      ON CONFLICT (${browser.uid}, ${browser.keyHash}) DO UPDATE SET ${excludedSql(pick(browser, 'knownUntil'))}`,
    values: [uid, browserHash, knownUntil],
  })
}

/** For each counter that a try falls under, the key that is counted. */
export type CountedBy = Partial<Record<CodeCount, string>>

/** Returns the state of these counters. */
export async function findTries(tx: Sql, uid: string, by: CountedBy): Promise<CodeRecords> {
  const t = under(totpTry, 't')
  const rows = await tx.query({
    text: sql`SELECT ${row(pick(t, 'count', 'wrongTries', 'lockedUntil'))} FROM ${t}
      JOIN unnest($2::text[], $3::text[]) AS asked (count, counted) USING (count, counted) WHERE ${t.uid} = $1`,
    values: [uid, Object.keys(by), Object.values(by)],
  })
  const found = new Map(rows.map(({ count, ...record }) => [count, record]))
  return Object.fromEntries(keysOf(by).map(count => [count, found.get(count) ?? NO_CODE_TRIES]))
}

export async function saveTries(tx: Sql, uid: string, by: CountedBy, records: CodeRecords, now: Date): Promise<void> {
  for (const [count, counted] of Object.entries(by)) {
    const { wrongTries, lockedUntil } = records[count as CodeCount]!
    await tx.query({
      text: sql`INSERT INTO ${tried} (${tried.uid}, ${tried.count}, ${tried.counted}, ${tried.wrongTries}, ${tried.lockedUntil}, ${tried.triedAt})
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (${tried.uid}, ${tried.count}, ${tried.counted})
        DO UPDATE SET ${excludedSql(pick(tried, 'wrongTries', 'lockedUntil', 'triedAt'))}`,
      values: [uid, count, counted, wrongTries, lockedUntil, now],
    })
  }
}
