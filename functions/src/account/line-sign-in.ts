import { createHash, randomBytes } from 'node:crypto'
import type { LineProof } from '@shop/shared/account/endpoints.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { type Context, type Route, route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import type { LineLogin, LinePerson } from './line-login.ts'
import { findLinkedUid, insertAttempt, insertUsedToken, takeAttempt } from './line-store.ts'
import { findAccount, isEmailOfOther, upsertAccount } from './store.ts'
import { claimsOf, uidOfLine } from './view.ts'

const ATTEMPT_SECONDS = 1800

const createSecret = () => randomBytes(32).toString('base64url')
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

function lineLoginOf(shop: Shop): LineLogin {
  if (!shop.lineLogin) throw new AppError('LINE_UNAVAILABLE')
  return shop.lineLogin
}

/** The state travels through LINE, the attempt stays in the browser: only that browser can finish the sign-in. */
async function start({ shop, now, address }: Context) {
  await shop.limits.take('signInsPerAddress', address)
  const line = lineLoginOf(shop)
  const [state, attempt, nonce, codeVerifier] = [createSecret(), createSecret(), createSecret(), createSecret()]
  const expiresAt = addSeconds(now, ATTEMPT_SECONDS)
  const kept = { stateHash: hashOf(state), browserHash: hashOf(attempt), nonce, codeVerifier, expiresAt }
  await insertAttempt(shop.db, kept, now)
  return { authorizeUrl: line.authorizeUrl({ state, nonce, codeVerifier }), attempt }
}

/** Checks a proof and runs `work` for the person it is about; a proof works once. */
export async function withProof<T>(
  context: Context,
  proof: LineProof,
  work: (person: LinePerson) => Promise<T>,
): Promise<T> {
  const { shop, now } = context
  const line = lineLoginOf(shop)
  if ('code' in proof) {
    const browser = { stateHash: hashOf(proof.state), browserHash: hashOf(proof.attempt), now }
    const attempt = await takeAttempt(shop.db, browser)
    if (!attempt) throw new AppError('SIGN_IN_FAILED')
    return work(await line.redeemCode({ code: proof.code, ...attempt }))
  }
  const person = await line.verifyLiffToken(proof.idToken)
  // Before the work: what a replayed token starts must never be saved.
  const isFirst = await insertUsedToken(shop.db, hashOf(proof.idToken), person.expiresAt, now)
  if (!isFirst) throw new AppError('SIGN_IN_REPLAYED')
  return work(person)
}

/** A new LINE customer. Their email stays out of the identity provider, which would link accounts by it alone. */
async function createLineAccount({ shop, now }: Context, uid: string, person: LinePerson): Promise<void> {
  const { email, name, picture } = person
  const isTaken = email && ((await isEmailOfOther(shop.db, email, uid)) || (await findUidByEmail(shop, email)))
  if (isTaken) throw new AppError('EMAIL_IN_USE')
  await shop.identityProvider.createUser({
    uid,
    ...(name && { displayName: name }),
    ...(picture && { photoUrl: picture }),
  })
  const profile = { username: name ?? '', givenName: name ?? '', familyName: '', phone: null }
  await upsertAccount(shop.db, { uid, providers: ['line'], email, emailVerified: false, profile, now })
  const account = await findAccount(shop.db, uid)
  if (account) await shop.identityProvider.setClaims(uid, claimsOf(account))
}

async function findUidByEmail(shop: Shop, email: string): Promise<string | null> {
  return (await shop.identityProvider.findUserByEmail(email))?.uid ?? null
}

/** Signs in to the account the LINE identity is linked to, else to its own, which is made when it is not there. */
async function signIn(context: Context, person: LinePerson) {
  const { shop } = context
  const uid = (await findLinkedUid(shop.db, person.sub)) ?? uidOfLine(person.sub)
  const account = await findAccount(shop.db, uid)
  if (account?.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (!account) await createLineAccount(context, uid, person)
  return { firebaseToken: await shop.identityProvider.createCustomToken(uid) }
}

export const lineSignInRoutes: Route[] = [
  route(contract.startLineSignIn, (_, context) => start(context)),
  route(contract.createCustomToken, ({ body }, context) => withProof(context, body, person => signIn(context, person))),
]
