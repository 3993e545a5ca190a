import { insertAudit } from '../audit/store.ts'
import type { Database, Sql } from '../database/database.ts'
import { Refusal } from '../database/refusal.ts'
import { tell } from '../outbox/outbox.ts'
import { insertMove } from '../value/store.ts'
import type { IdentityProvider, ProviderUser } from './identity-provider.ts'
import { sinceOf } from './links-of.ts'
import { endAllKeys } from './machine-keys.ts'
import { publish } from './management.ts'
import { type Account, lockAccounts, saveAccount, upsertAccount } from './store.ts'

interface Parts {
  db: Database
  identityProvider: IdentityProvider
  now: () => Date
}

/** Whoever works with the shop's own database, outside of any account. */
const OPERATOR = { uid: 'operator', role: 'admin' } as const

export interface MadeAdmin {
  uid: string
  /** Whether the person was an admin before; then only their tokens were brought in line. */
  wasAdmin: boolean
  /** Opens the page where the person sets a password. */
  passwordLink: string
}

/**
 * Makes somebody an admin without another admin's word: the first one, or with `another` one more, of which all admins
 * are told. A second run for the same person brings the identity provider in line and makes a new link. @throws Refusal
 */
export async function makeFirstAdmin(parts: Parts, email: string, options: { another: boolean }): Promise<MadeAdmin> {
  const { db, identityProvider } = parts
  // Asked before anybody is made at the identity provider, and once more under lock.
  await mustMayMake(db, email, options.another)
  const user = await findOrCreate(identityProvider, email)
  const wasAdmin = await db.transaction(tx => appoint(tx, { user, email, now: parts.now(), ...options }))
  await identityProvider.updateUser(user.uid, { isDisabled: false })
  await publish(parts, user.uid, !wasAdmin)
  return { uid: user.uid, wasAdmin, passwordLink: await identityProvider.passwordLink(email) }
}

async function findOrCreate(identityProvider: IdentityProvider, email: string): Promise<ProviderUser> {
  const known = await identityProvider.findUserByEmail(email)
  // Anybody can register with any address, and whoever did would become the admin.
  if (known && !known.emailVerified && known.providers.length > 0)
    throw new Refusal(
      `Somebody registered with ${email} and has not proven that the address is theirs. Open the mail that came with ` +
        'the registration, or delete this user in the Firebase console; then run this again.',
    )
  if (known) return known
  await identityProvider.createUser({ email })
  const made = await identityProvider.findUserByEmail(email)
  if (!made) throw new Refusal(`Firebase made the user ${email} and does not find it; run this again.`)
  return made
}

async function mustMayMake(db: Sql, email: string, another: boolean): Promise<void> {
  const admins = await db.query<{ email: string | null }>({
    text: `SELECT email FROM account WHERE role = 'admin' AND status <> 'inactive' ORDER BY created_at, uid`,
  })
  if (another || admins.length === 0 || admins.some(admin => admin.email?.toLowerCase() === email.toLowerCase())) return
  throw new Refusal(
    `There is an admin already (${admins.map(admin => admin.email).join(', ')}), who makes others in the admin site. ` +
      'If nobody can sign in as that admin: --another makes one more, and all admins are told.',
  )
}

/** Returns whether the person was an admin already. */
async function appoint(
  tx: Sql,
  { user, email, now, another }: { user: ProviderUser; email: string; now: Date; another: boolean },
): Promise<boolean> {
  const { uid } = user
  await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended('first admin', 0))` })
  await mustMayMake(tx, email, another)
  const before = (await lockAccounts(tx, [uid])).get(uid) ?? null
  if (before?.role === 'admin' && before.status === 'active') return true
  if (!before) await addAccount(tx, user, email, now)
  await endAllKeys(tx, { uid, by: OPERATOR.uid, now })
  await saveAccount(tx, uid, { role: 'admin', status: 'active', tokensValidAfter: now })
  await insertAudit(tx, {
    actorUid: OPERATOR.uid,
    actorRole: OPERATOR.role,
    action: 'account.setRole',
    subject: `account:${uid}`,
    before: before && rankOf(before),
    after: { role: 'admin', status: 'active' },
    at: now,
  })
  if (another) await tellAdmins(tx, uid, now)
  return false
}

const rankOf = ({ role, status }: Account) => ({ role, status })

/** A password is what the link of the command gives. */
async function addAccount(tx: Sql, user: ProviderUser, email: string, now: Date): Promise<void> {
  const providers = [...new Set([...user.providers, 'password'])]
  await upsertAccount(tx, {
    uid: user.uid,
    providers,
    providersSince: sinceOf(null, providers, now),
    email,
    emailVerified: user.emailVerified,
    providerValidAfter: user.tokensValidAfter,
    profile: { username: email, givenName: '', familyName: '', phone: null },
    now,
  })
}

async function tellAdmins(tx: Sql, uid: string, now: Date): Promise<void> {
  const move = { kind: 'adminMade', amountSatang: 0, subject: `account:${uid}`, note: 'จากคำสั่งของผู้ดูแลเครื่อง' } as const
  const id = await insertMove(tx, { ...OPERATOR, now }, { ...move, secondUid: null, wordId: null, isAlone: true })
  await tell(tx, { event: 'valueMoved', id, now })
}
