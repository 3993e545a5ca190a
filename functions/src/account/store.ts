import type { AccountStatus } from '@shop/shared/account/account.ts'
import type { Role } from '@shop/shared/permissions.ts'
import type { Sql } from '../database/database.ts'

export interface Account {
  uid: string
  username: string
  providers: string[]
  name: string
  surname: string
  tel: string | null
  email: string | null
  emailVerified: boolean
  reward: number
  status: AccountStatus
  role: Role
  isPasswordChange: boolean
  isPinChange: boolean
  tokensValidAfter: Date | null
  createdAt: Date
  walletId: string | null
  tierId: number | null
}

const columns = `a.uid, a.username, a.providers, a.name, a.surname, a.tel, a.email, a.email_verified AS "emailVerified",
  a.reward, a.status, a.role, a.is_password_change AS "isPasswordChange", a.is_pin_change AS "isPinChange",
  a.tokens_valid_after AS "tokensValidAfter", a.created_at AS "createdAt", w.id AS "walletId", w.tier_id AS "tierId"`

/** One account with its wallet's id and tier; runs on every signed-in request. */
export async function findAccount(db: Sql, uid: string): Promise<Account | null> {
  const [row] = await db.query<Account>({
    name: 'account_find',
    text: `SELECT ${columns} FROM account a LEFT JOIN wallet w ON w.uid = a.uid WHERE a.uid = $1`,
    values: [uid],
  })
  return row ?? null
}

/** What a person said about themselves when they registered; kept when they sign in again. */
export interface Profile {
  username: string
  name: string
  surname: string
  tel: string | null
}

/**
 * Creates the account at first sign-in, else refreshes what the identity provider knows.
 * A repeat changes nothing more.
 */
export async function upsertAccount(
  db: Sql,
  account: { uid: string; provider: string; email: string | null; emailVerified: boolean; profile: Profile; now: Date },
): Promise<void> {
  const { uid, provider, email, emailVerified, profile, now } = account
  await db.query({
    text: `INSERT INTO account (uid, username, providers, name, surname, tel, email, email_verified, created_at)
      VALUES ($1, $2, ARRAY[$3], $4, $5, $6, $7, $8, $9)
      ON CONFLICT (uid) DO UPDATE SET
        email = coalesce(excluded.email, account.email),
        email_verified = excluded.email_verified,
        providers = CASE WHEN $3 = ANY(account.providers) THEN account.providers ELSE account.providers || $3::text END`,
    values: [uid, profile.username, provider, profile.name, profile.surname, profile.tel, email, emailVerified, now],
  })
}
