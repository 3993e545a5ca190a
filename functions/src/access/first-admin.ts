import type { IdentityProvider, ProviderUser } from '../account/identity-provider.ts'
import { type Account, findAdmins, lockAccounts, saveAccount, upsertAccount } from '../account/store.ts'
import { account } from '../account/tables.ts'
import { deleteTotp } from '../account/totp-store.ts'
import { insertAudit } from '../audit/store.ts'
import type { Database, Sql } from '../database/database.ts'
import { Refusal } from '../database/refusal.ts'
import { locked, pick, row, sql, under } from '../database/sql.ts'
import { insertMove, OPERATOR } from '../value/store.ts'
import { sinceOf } from './links-of.ts'
import { endMachines } from './machines.ts'
import { publish } from './management.ts'
import { rankWords, tellRank } from './rank.ts'

interface Parts {
  db: Database
  identityProvider: IdentityProvider
  now: () => Date
}

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

const a = under(account, 'a')

async function mustMayMake(db: Sql, email: string, another: boolean): Promise<void> {
  const admins = await db.query({
    text: sql`SELECT ${row(pick(a, 'email'))} FROM ${a} WHERE ${a.role} = 'admin' AND ${a.status} <> 'inactive' ORDER BY ${a.createdAt}, ${a.uid}`,
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
  await tx.query({ text: sql`SELECT ${locked(`'first admin'`)}` })
  await mustMayMake(tx, email, another)
  const before = (await lockAccounts(tx, [uid])).get(uid) ?? null
  if (before?.role === 'admin' && before.status === 'active') return true
  if (!before) await addAccount(tx, user, email, now)
  const target = before ?? (await lockAccounts(tx, [uid])).get(uid)!
  const rank = { role: 'admin', status: 'active' } as const
  if (another) await tellAdmins(tx, 'adminMade', { target, next: rank, now })
  await saveRank(tx, { target, before: before && rankOf(before), next: rank, now })
  return false
}

type Rank = Pick<Account, 'role' | 'status'>

const rankOf = ({ role, status }: Account): Rank => ({ role, status })

/** Saves a rank in the operator's name; the person's sessions end, and the keys of their machines. */
async function saveRank(
  tx: Sql,
  { target, before, next, now }: { target: Account; before: Rank | null; next: Rank; now: Date },
): Promise<void> {
  const { uid } = target
  await endMachines(tx, { uid, by: OPERATOR.uid, now })
  await saveAccount(tx, uid, { ...next, tokensValidAfter: now })
  const sides = { before: before && { ...before }, after: { ...next } }
  const write = { action: 'account.setRole', subject: `account:${uid}`, ...sides } as const
  await insertAudit(tx, { ...write, actorUid: OPERATOR.uid, actorRole: OPERATOR.role, at: now })
}

export interface EndedAdmin {
  /** Whether the person was an admin until now; else it is only kept that the operator agrees to their end. */
  wasAdmin: boolean
  adminsLeft: number
}

/**
 * Ends an admin without another admin's word: their rank, their sessions and their authenticator app. All admins are
 * told, and they too. For somebody who is none any more it says that this is right: whoever ended them may then be the
 * shop's only admin. @throws Refusal
 */
export async function endAdminByOperator(parts: Parts, email: string): Promise<EndedAdmin> {
  const { db } = parts
  const now = parts.now()
  const [known] = await db.query({
    text: sql`SELECT ${row(pick(a, 'uid'))} FROM ${a} WHERE lower(${a.email}) = lower($1) ORDER BY ${a.role} = 'admin' DESC, ${a.createdAt} LIMIT 1`,
    values: [email],
  })
  if (!known) throw new Refusal(`Nobody in the shop has the address ${email}.`)
  const ended = await db.transaction(async tx => {
    const target = (await lockAccounts(tx, [known.uid])).get(known.uid)!
    const wasAdmin = (await findAdmins(tx)).includes(target.uid)
    const next: Rank = wasAdmin ? { role: 'customer', status: target.status } : rankOf(target)
    if (wasAdmin) {
      await tellAdmins(tx, 'adminEnded', { target, next, now })
      await deleteTotp(tx, target.uid)
    }
    await saveRank(tx, { target, before: rankOf(target), next, now })
    return { wasAdmin, adminsLeft: (await findAdmins(tx)).length }
  })
  await publish(parts, known.uid, true)
  return ended
}

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

const BY_OPERATOR = 'ผู้ดูแลเซิร์ฟเวอร์'

async function tellAdmins(
  tx: Sql,
  kind: 'adminMade' | 'adminEnded',
  { target, next, now }: { target: Account; next: Rank; now: Date },
): Promise<void> {
  const change = rankWords(target, next)
  const move = { kind, amountSatang: 0, subject: `account:${target.uid}`, note: `${change} (${BY_OPERATOR})` } as const
  await insertMove(tx, { ...OPERATOR, now }, { ...move, secondUid: null, wordId: null, isAlone: true })
  await tellRank(tx, { target, change, at: now, byName: BY_OPERATOR })
}
