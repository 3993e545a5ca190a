import { LINKABLE, parsePhone } from '@shop/shared/account/account.ts'
import type { syncAccount } from '@shop/shared/account/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { type AppError, invariant } from '@shop/shared/errors.ts'
import { line } from '@shop/shared/line.ts'
import { uuidv7 } from 'uuidv7'
import type { ProviderUser } from '../account/identity-provider.ts'
import { deleteLineLink } from '../account/line-store.ts'
import {
  type Account,
  type AccountChange,
  findAccount,
  lockAccounts,
  type Profile,
  saveAccount,
  upsertAccount,
} from '../account/store.ts'
import { audit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import { endAccess, NOTHING_KEPT, setByOwner } from './access-ends.ts'
import { sinceOf } from './links-of.ts'
import { endMachines } from './machines.ts'
import { revokeSessions } from './management.ts'
import { firstWaysOf, type Settled, type SignIn, settle } from './proof.ts'
import { changedOutside, tellOfSignIn } from './sign-in-news.ts'
import { leaveToNobody } from './takeover-store.ts'
import { claimsOf, signInWaysOf } from './view.ts'

type Registration = ParsedInput<typeof syncAccount>['body']

/** The saved result of a sign-in, and what must still change at the identity provider. */
interface Recorded {
  /** Thrown after the commit, because what was learned about the account is saved all the same. */
  error: AppError | null
  isNew: boolean
  isTakeover: boolean
  /** Ways to sign in at the identity provider that the account does not have. */
  strays: string[]
}

/** People can give themselves any name at the identity provider; a name that the form would refuse counts as none. */
const usableName = line(100).catch('')

function profileOf({ token, user }: SignIn, body: Registration, isTakeover: boolean): Profile {
  // After a takeover the name in the token may come from the previous holder.
  const said = (isTakeover ? user.saidBy[token.provider]?.name : token.name) ?? ''
  const [first, ...rest] = said.trim().split(/\s+/)
  return {
    username: body.username || token.email || usableName.parse(said),
    givenName: body.name ?? usableName.parse(first),
    familyName: body.surname ?? usableName.parse(rest.join(' ')),
    phone: parsePhone(body.tel),
  }
}

/** Resets the account's fields to those of a fresh registration. */
const CLEARED: AccountChange = {
  username: '',
  givenName: '',
  familyName: '',
  phone: null,
  status: 'pending',
  mustChangePassword: false,
  mustChangePin: false,
  oneTimePasswordHash: null,
  addingProvider: null,
  addingUntil: null,
}

/** Empties the account for the person who proved that its address is theirs. */
async function handOver(tx: Sql, account: Account, { now }: SignIn): Promise<void> {
  const { uid, email, username, givenName, familyName, phone, status } = account
  await endMachines(tx, { uid, by: null, now })
  await saveAccount(tx, uid, CLEARED)
  const orphanKey = `o:${uuidv7()}`
  await leaveToNobody(tx, uid, orphanKey)
  const before = { email, username, givenName, familyName, phone, status, providers: signInWaysOf(account) }
  const write = { action: 'account.takeOver', subject: `account:${uid}`, before, after: { leftTo: orphanKey } } as const
  await audit(tx, { uid, role: account.role, now }, write)
}

async function applyTo(tx: Sql, account: Account, signIn: SignIn, settled: Settled): Promise<void> {
  const { uid } = account
  await tellOfSignIn(tx, account, signIn, settled)
  if (settled.isTakeover) await handOver(tx, account, signIn)
  // Nobody can be asked what goes on. Which sessions and ways to sign in do is settled by the sign-in itself.
  for (const secret of changedOutside(account, signIn, settled)) {
    const kept = { ...NOTHING_KEPT, links: [...LINKABLE] }
    const { addingProvider, addingUntil } = await endAccess(tx, setByOwner(secret, account, signIn.now, kept))
    await saveAccount(tx, uid, { addingProvider, addingUntil })
  }
  if (settled.dropsLine) await deleteLineLink(tx, uid)
  const { providers, tokensValidAfter, providerValidAfter } = settled
  await saveAccount(tx, uid, { providers, tokensValidAfter, providerValidAfter })
}

async function record(tx: Sql, signIn: SignIn, body: Registration): Promise<Recorded> {
  const { token, user, now } = signIn
  const account = (await lockAccounts(tx, [token.uid])).get(token.uid)
  const settled = account && settle(account, signIn)
  if (settled) await applyTo(tx, account, signIn, settled)
  const { error = null, isTakeover = false, strays = [], providers = firstWaysOf(signIn) } = settled ?? {}
  const { uid, email, emailVerified } = token
  if (!error) {
    const profile = profileOf(signIn, body, isTakeover)
    const providerValidAfter = user.tokensValidAfter
    const ways = { providers, providersSince: sinceOf(account ?? null, providers, now) }
    await upsertAccount(tx, { uid, ...ways, email, emailVerified, providerValidAfter, profile, now })
  }
  return { error, isNew: !account, isTakeover, strays }
}

/**
 * Removes from the identity provider every way to sign in that the account does not have, so that nobody gets in by
 * one.
 */
async function follow(shop: Pick<Shop, 'db' | 'identityProvider'>, signIn: SignIn, recorded: Recorded): Promise<void> {
  const { uid } = signIn.token
  const { identityProvider } = shop
  if (recorded.strays.length > 0) await identityProvider.unlinkProviders(uid, recorded.strays)
  if (recorded.isTakeover) {
    const said = signIn.user.saidBy[signIn.token.provider]
    await identityProvider.updateUser(uid, { displayName: said?.name || said?.email || '' })
    await revokeSessions(shop, uid)
  }
}

/**
 * Records a registration or sign-in and returns the resulting account. @throws PHONE_INVALID, which records nothing;
 * SIGN_IN_THEN_LINK, SESSION_REVOKED
 */
export async function syncSignIn(
  shop: Pick<Shop, 'db' | 'identityProvider'>,
  { token, now }: Pick<SignIn, 'token' | 'now'>,
  body: Registration,
): Promise<Account> {
  const { db, identityProvider } = shop
  const unknown: ProviderUser = {
    uid: token.uid,
    email: null,
    emailVerified: false,
    saidBy: {},
    tokensValidAfter: null,
    lastSignInAt: null,
    providers: token.provider === 'custom' ? [] : [token.provider],
  }
  const signIn = { token, now, user: (await identityProvider.findUser(token.uid)) ?? unknown }
  const recorded = await db.transaction(tx => record(tx, signIn, body))
  if (recorded.error) throw recorded.error
  await follow(shop, signIn, recorded)
  const account = await findAccount(db, token.uid)
  invariant(account, 'the account was just stored')
  if (recorded.isNew || recorded.isTakeover) await identityProvider.setClaims(account.uid, claimsOf(account))
  return account
}
