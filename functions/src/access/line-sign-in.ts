import { createHash, randomBytes } from 'node:crypto'
import { uidOfLine } from '@shop/shared/account/account.ts'
import type { LineProof } from '@shop/shared/account/endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { mayUseLine } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { LineLogin, LinePerson } from '../account/line-login.ts'
import { findLineLink, insertAttempt, insertUsedToken, takeAttempt } from '../account/line-store.ts'
import { findAccount, isEmailTaken, upsertAccount } from '../account/store.ts'
import { type Route, route } from '../call/route.ts'
import type { Shop } from '../shop/shop.ts'
import { claimsOf } from './view.ts'

const ATTEMPT_SECONDS = 1800

const createSecret = () => randomBytes(32).toString('base64url')
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

function lineLoginOf({ lineLogin }: Pick<Shop, 'lineLogin'>): LineLogin {
  if (!lineLogin) throw new AppError('LINE_UNAVAILABLE')
  return lineLogin
}

/** The state goes to LINE and the attempt stays in the browser, so only that browser can finish the sign-in. */
async function start(shop: Pick<Shop, 'db' | 'lineLogin' | 'now'>) {
  const line = lineLoginOf(shop)
  const now = shop.now()
  const [state, attempt, nonce, codeVerifier] = [createSecret(), createSecret(), createSecret(), createSecret()]
  const expiresAt = addSeconds(now, ATTEMPT_SECONDS)
  const kept = { stateHash: hashOf(state), browserHash: hashOf(attempt), nonce, codeVerifier, expiresAt }
  await insertAttempt(shop.db, kept, now)
  return { authorizeUrl: line.authorizeUrl({ state, nonce, codeVerifier }), attempt }
}

/** The signed part of a token. A signature can be written in several valid ways, so it can't identify a token. */
const signedPartOf = (idToken: string) => idToken.slice(0, idToken.lastIndexOf('.'))

/** Checks a sign-in proof and runs `work` for the person it identifies. A proof can be used only once. */
export async function withProof<T>(
  shop: Pick<Shop, 'db' | 'lineLogin' | 'now'>,
  proof: LineProof,
  work: (person: LinePerson) => Promise<T>,
): Promise<T> {
  const { db } = shop
  const now = shop.now()
  const line = lineLoginOf(shop)
  if ('code' in proof) {
    const browser = { stateHash: hashOf(proof.state), browserHash: hashOf(proof.attempt), now }
    const attempt = await takeAttempt(db, browser)
    if (!attempt) throw new AppError('SIGN_IN_FAILED')
    return work(await line.redeemCode({ code: proof.code, ...attempt }))
  }
  const person = await line.verifyLiffToken(proof.idToken)
  // The token is marked as used before `work` runs, so that nothing started by a replayed token is ever saved.
  const isFirst = await insertUsedToken(db, hashOf(signedPartOf(proof.idToken)), person.expiresAt, now)
  if (!isFirst) throw new AppError('SIGN_IN_REPLAYED')
  return work(person)
}

type Accounts = Pick<Shop, 'db' | 'identityProvider' | 'now'>

/**
 * Creates a customer who came from LINE. The identity provider does not get their email address, because it would link
 * accounts that share one.
 */
async function createLineAccount(shop: Accounts, uid: string, person: LinePerson): Promise<void> {
  const { db, identityProvider } = shop
  const { email, name, picture } = person
  const isTaken = email && ((await isEmailTaken(db, email, uid)) || (await isProvenElsewhere(shop, email)))
  if (isTaken) throw new AppError('EMAIL_IN_USE')
  await identityProvider.createUser({ uid, ...(name && { displayName: name }), ...(picture && { photoUrl: picture }) })
  const profile = { username: name ?? '', givenName: name ?? '', familyName: '', phone: null }
  const address = { email, emailVerified: false, providerValidAfter: null }
  await upsertAccount(db, { uid, providers: [], providersSince: {}, ...address, profile, now: shop.now() })
  const account = await findAccount(db, uid)
  if (account) await identityProvider.setClaims(uid, claimsOf(account))
}

/** Tells whether somebody whom only the identity provider knows has proven that they own the address. */
async function isProvenElsewhere({ identityProvider }: Accounts, email: string): Promise<boolean> {
  return (await identityProvider.findUserByEmail(email))?.emailVerified ?? false
}

/**
 * Signs in to the account that the LINE identity is linked to. Without a link, it signs in to the identity's own
 * account and creates that if necessary.
 */
async function signIn(shop: Accounts, person: LinePerson) {
  const link = await findLineLink(shop.db, person.sub)
  const uid = link?.uid ?? uidOfLine(person.sub)
  const account = await findAccount(shop.db, uid)
  if (account?.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (account && !mayUseLine(account.role)) throw new AppError('LINE_NOT_ALLOWED')
  if (!account) await createLineAccount(shop, uid, person)
  const claims = link ? { lineLink: link.linkedAt.getTime() } : {}
  return { firebaseToken: await shop.identityProvider.createCustomToken(uid, claims) }
}

export const lineSignInRoutes: Route[] = [
  route(contract.startLineSignIn, async (_, { shop, address }) => {
    await shop.limits.take('signInsPerAddress', address)
    return start(shop)
  }),
  route(contract.createCustomToken, ({ body }, { shop }) => withProof(shop, body, person => signIn(shop, person))),
]
