import type { TotpState } from '@shop/shared/account/endpoints.ts'
import type { CodeRecord } from '@shop/shared/account/totp.ts'
import { optionsFrom } from '@shop/shared/settings/option.ts'
import { eq, getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { selectList } from '../database/listing.ts'
import { accountTotp } from './tables.ts'
import type { TokenIdentity } from './token.ts'

type Session = Pick<TokenIdentity, 'uid' | 'signedInAt'>

/** How far a session is with the second factor; runs on every request of the back office. */
export async function findTotpState(db: Sql, { uid, signedInAt }: Session): Promise<TotpState> {
  const [row] = await db.query<{ isEnrolled: boolean; isConfirmed: boolean; required: string | null }>({
    name: 'totp_state',
    text: `SELECT EXISTS (SELECT 1 FROM account_totp WHERE uid = $1 AND secret IS NOT NULL) AS "isEnrolled",
      EXISTS (SELECT 1 FROM totp_session WHERE uid = $1 AND signed_in_at = $2) AS "isConfirmed",
      (SELECT value FROM option WHERE name = 'REQUIRE_ADMIN_TOTP') AS required`,
    values: [uid, signedInAt],
  })
  const { isEnrolled, isConfirmed, required } = row!
  const { REQUIRE_ADMIN_TOTP } = optionsFrom({ REQUIRE_ADMIN_TOTP: required ?? undefined })
  return { isRequired: isEnrolled || REQUIRE_ADMIN_TOTP, isEnrolled, isConfirmed }
}

export interface StoredTotp extends CodeRecord {
  secret: string | null
  pendingSecret: string | null
  usedStep: number
}

const { uid: _uid, ...kept } = getTableColumns(accountTotp)

/** A person's authenticator app, locked until the transaction ends; null when none was ever begun. */
export async function lockTotp(tx: Sql, uid: string): Promise<StoredTotp | null> {
  const [row] = await tx.query<StoredTotp>({
    text: `SELECT ${selectList(kept, 't')} FROM account_totp t WHERE uid = $1 FOR UPDATE`,
    values: [uid],
  })
  return row ?? null
}

/** Keeps the secret of an app that is being enrolled; the tries at the one before stay counted. */
export async function savePendingSecret(db: Sql, uid: string, pendingSecret: string): Promise<void> {
  const change = { pendingSecret }
  await db.orm
    .insert(accountTotp)
    .values({ uid, ...change })
    .onConflictDoUpdate({ target: accountTotp.uid, set: change })
}

export async function saveTotp(tx: Sql, uid: string, totp: Partial<StoredTotp>): Promise<void> {
  await tx.orm.update(accountTotp).set(totp).where(eq(accountTotp.uid, uid))
}

/** Remembers that a session was confirmed, and forgets those that are over. */
export async function insertTotpSession(tx: Sql, { uid, signedInAt }: Session, overBefore: Date): Promise<void> {
  await tx.query({ text: 'DELETE FROM totp_session WHERE signed_in_at < $1', values: [overBefore] })
  await tx.query({
    text: 'INSERT INTO totp_session (uid, signed_in_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [uid, signedInAt],
  })
}

/** Forgets every confirmed session of a person: another app decides now. */
export async function deleteTotpSessions(tx: Sql, uid: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM totp_session WHERE uid = $1', values: [uid] })
}

/** Takes a person's app away; false when there was none. */
export async function deleteTotp(tx: Sql, uid: string): Promise<boolean> {
  await deleteTotpSessions(tx, uid)
  const deleted = await tx.query({ text: 'DELETE FROM account_totp WHERE uid = $1 RETURNING uid', values: [uid] })
  return deleted.length > 0
}
