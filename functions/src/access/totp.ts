import { randomBytes } from 'node:crypto'
import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import * as contract from '@shop/shared/account/endpoints.ts'
import { type CodeDecision, decideCode, ENROLMENT_SECONDS, isCodeLocked } from '@shop/shared/account/totp.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { isManagerLevel } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { Secret, TOTP } from 'otpauth'
import { hashSecret } from '../account/caller.ts'
import { personNameOf } from '../account/store.ts'
import {
  type CountedBy,
  deleteTotp,
  findPending,
  findTotpState,
  findTries,
  forgetConfirmed,
  isKnownBrowser,
  lockTotp,
  replaceSession,
  type StoredTotp,
  saveBrowser,
  saveTotp,
  saveTries,
} from '../account/totp-store.ts'
import { createVault, type Vault } from '../account/vault.ts'
import { audit } from '../audit/store.ts'
import { type Context, type Person, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import type { Shop } from '../shop/shop.ts'
import { moveValue } from '../value/moving.ts'
import { endAccess, setByOwner, setByShop } from './access-ends.ts'
import { editAccount, publish } from './management.ts'
import { tellAdmins, tellOwner, viaOf } from './news.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { endAdmin } from './rank.ts'
import { meOf } from './view.ts'

const ISSUER = 'คราม เติมเกม'
const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Length of a session's secret: 256 bits. */
const KEY_BYTES = 32
/** For this long after its last right code, a browser's wrong codes are counted apart from those of strangers. */
const BROWSER_SECONDS = 90 * 24 * 3600

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: STEP_SECONDS,
  })

/**
 * Returns the time step of this code, which may be the current, previous or next one; null when the code is wrong or
 * was used before.
 */
function stepOf(secret: Uint8Array, code: string, usedStep: number, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta
  return step > usedStep ? step : null
}

type Parts = Pick<Shop, 'db' | 'config'>
type CodeInput = ParsedInput<typeof contract.confirmTotp>['body']

/** Somebody in the back office, with the secrets that their browser presents. */
interface Confirming extends SignedIn {
  /** Hash of the secret that this browser's session was given when it was confirmed or began to enrol an app. */
  sessionHash: string | null
}

const confirmingOf = (context: Context): Confirming => ({ ...signedInOf(context), sessionHash: context.sessionHash })

/** Makes a session with a new secret, which only the browser keeps in clear. */
function newSession({ uid, token }: Confirming) {
  const sessionKey = randomBytes(KEY_BYTES).toString('base64url')
  return { sessionKey, row: { keyHash: hashSecret(sessionKey), uid, signedInAt: token.signedInAt } }
}

/**
 * Returns what a wrong code is counted by: the browser if it once gave a right one, else this sign-in and all unknown
 * browsers together.
 */
async function countedBy(tx: Sql, { uid, token, now }: Confirming, browserHash: string | null): Promise<CountedBy> {
  if (browserHash !== null && (await isKnownBrowser(tx, uid, browserHash, now))) return { browser: browserHash }
  return { signIn: token.signedInAt.toISOString(), strangers: '' }
}

/** Records that somebody who signed in as this person guesses their codes, and tells the owner. */
async function tellOfLock(tx: Sql, by: Confirming, { records, locks }: CodeDecision): Promise<void> {
  if (!locks.includes('strangers')) return
  const { uid, now } = by
  await tellOwner(tx, { uid, kind: 'codeGuessed', byShop: false, facts: viaOf(by.token), at: now })
  const after = { lockedUntil: records.strangers!.lockedUntil!.toISOString() }
  await audit(tx, by, { action: 'account.lockTotp', subject: `account:${uid}`, before: null, after })
}

/** The apps whose code is accepted: the one in use, and one that this very session is enrolling to replace it. */
interface Apps {
  stored: StoredTotp
  pendingSecret: string | null
}

/** Reads a stored secret. @throws TOTP_UNREADABLE when its key no longer exists */
async function readSecret(vault: Vault, uid: string, sealed: string) {
  const opened = await vault.open(uid, sealed)
  if (opened) return opened
  const cause = new Error("invariant broken: TOTP_KEY has the key of an authenticator app's secret")
  throw new AppError('TOTP_UNREADABLE', { cause })
}

/**
 * Tries a code. A right one renews a secret that was encrypted with an older key. The caller throws a returned error AFTER the commit, so that the wrong try counts. @throws
 * TOTP_UNREADABLE, which does not count as a wrong try
 */
async function tryCode(tx: Sql, vault: Vault, by: Confirming, { stored, pendingSecret }: Apps, typed: CodeInput) {
  const { uid, now } = by
  const browserHash = typed.browserKey === undefined ? null : hashSecret(typed.browserKey)
  const counted = await countedBy(tx, by, browserHash)
  const before = await findTries(tx, uid, counted)
  const tryApp = async (sealed: string | null, usedStep: number) => {
    if (sealed === null || isCodeLocked(before, now)) return null
    const opened = await readSecret(vault, uid, sealed)
    const step = stepOf(opened.secret, typed.code, usedStep, now)
    return step === null ? null : { step, secret: opened.key === 0 ? sealed : await vault.seal(uid, opened.secret) }
  }
  // An app that is only being enrolled has no used codes yet.
  const pending = await tryApp(pendingSecret, 0)
  const right = pending ?? (await tryApp(stored.secret, stored.usedStep))
  const decision = decideCode(before, right !== null, now)
  await saveTries(tx, uid, counted, decision.records, now)
  await tellOfLock(tx, by, decision)
  if (right === null) return { error: decision.error!, isNewApp: false }
  const isNewApp = pending !== null
  await saveTotp(tx, uid, { usedStep: right.step, secret: right.secret })
  if (isNewApp) {
    await forgetConfirmed(tx, uid)
    await tellOwner(tx, { uid, kind: 'newAuthenticatorApp', byShop: false, facts: viaOf(by.token), at: now })
    await endAccess(tx, setByOwner('app', await ownAccount({ db: tx }, by), now))
    // There was no app before, so a password alone was enough to enrol this one.
    if (stored.secret === null) {
      const byName = personNameOf(await ownAccount({ db: tx }, by))
      await tellAdmins(tx, { kind: 'firstApp', byShop: false, at: now, facts: { byName } })
    }
  }
  if (browserHash !== null) await saveBrowser(tx, uid, browserHash, addSeconds(now, BROWSER_SECONDS))
  return { error: null, isNewApp }
}

/**
 * Begins to enrol an app in this very session. Somebody who has an app must type its code first; otherwise a moment at
 * their open browser would be enough to add one's own app.
 */
async function enrol(shop: Parts, by: Confirming, typed: Partial<CodeInput>) {
  mustBeRecent(by)
  const { uid, now } = by
  const { username } = await ownAccount(shop, by)
  const vault = createVault(shop.config.TOTP_KEY)
  const secret = new Secret({ size: SECRET_BYTES }).bytes
  const pending = { pendingSecret: await vault.seal(uid, secret), pendingUntil: addSeconds(now, ENROLMENT_SECONDS) }
  const { sessionKey, row } = newSession(by)
  const error = await shop.db.transaction(async tx => {
    const stored = await lockTotp(tx, uid)
    if (stored.secret !== null) {
      const { code } = typed
      if (code === undefined) return new AppError('TOTP_REQUIRED')
      const tried = await tryCode(tx, vault, by, { stored, pendingSecret: null }, { ...typed, code })
      if (tried.error) return tried.error
    }
    const confirmedAt = stored.secret === null ? null : now
    await replaceSession(tx, by.sessionHash, { ...row, ...pending, confirmedAt })
    return null
  })
  if (error) throw error
  return { otpauthUri: totpOf(secret, username || uid).toString(), sessionKey }
}

async function confirm(shop: Parts, by: Confirming, typed: CodeInput) {
  const { uid, now, token, sessionHash } = by
  const vault = createVault(shop.config.TOTP_KEY)
  const { sessionKey, row } = newSession(by)
  // The row stays locked meanwhile, so parallel tries wait and can't exceed the allowed number.
  const error = await shop.db.transaction(async tx => {
    const stored = await lockTotp(tx, uid)
    const pending = await findPending(tx, token, sessionHash, now)
    if (stored.secret === null && pending === null) return new AppError('TOTP_NOT_ENROLLED')
    const apps = { stored, pendingSecret: pending?.pendingSecret ?? null }
    const tried = await tryCode(tx, vault, by, apps, typed)
    if (tried.error) return tried.error
    await replaceSession(tx, sessionHash, { ...row, ...(!tried.isNewApp && pending), confirmedAt: now })
    return null
  })
  if (error) throw error
  return { ...(await findTotpState(shop.db, token, row.keyHash)), sessionKey }
}

async function reset(shop: Pick<Shop, 'db' | 'identityProvider'>, by: Person, uid: string) {
  await editAccount(shop, by, uid, async ({ tx, target, save }) => {
    if (!(await deleteTotp(tx, uid))) throw new AppError('TOTP_NOT_ENROLLED')
    await tellOwner(tx, { uid, kind: 'appReset', byShop: true, at: by.now })
    if (target.role === 'admin') await endAdmin(tx, by, target, 'ล้างแอปยืนยันตัวตน')
    else if (isManagerLevel(target.role)) {
      const note = ROLE_LABELS[target.role]
      await moveValue(tx, by, { kind: 'totpReset', amountSatang: 0, subject: `account:${uid}`, note })
    }
    await save('account.resetTotp', await endAccess(tx, setByShop('app', target, by)), {})
  })
  return publish(shop, uid, true)
}

export const totpRoutes: Route[] = [
  route(contract.getTotp, (_, context) => {
    const { token, sessionHash } = confirmingOf(context)
    return findTotpState(context.shop.db, token, sessionHash)
  }),
  route(contract.enrolTotp, ({ body }, context) => enrol(context.shop, confirmingOf(context), body)),
  route(contract.confirmTotp, ({ body }, context) => confirm(context.shop, confirmingOf(context), body)),
  route(contract.resetTotp, async ({ params }, context) =>
    meOf(await reset(context.shop, personOf(context), params.uid)),
  ),
]
