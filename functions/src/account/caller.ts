import { createHash } from 'node:crypto'
import type { TotpState } from '@shop/shared/account/endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import {
  type Action,
  type Caller,
  can,
  isAdminSide,
  isBackOffice,
  isOfMachines,
  mayUseLine,
} from '@shop/shared/permissions.ts'
import { readKey, scopeOf } from '@shop/shared/reseller/reseller.ts'
import type { HonoRequest } from 'hono'
import type { Sql } from '../database/database.ts'
import { findAccountOfKey, type KeyRing, type MachineKey } from './key-ring.ts'
import { cameBefore, cameFromLine, isOwnWay, STAFF_SESSION_SECONDS } from './session.ts'
import { type Account, findAccount } from './store.ts'
import type { TokenIdentity, TokenVerifier } from './token.ts'
import { findTotpState } from './totp-store.ts'

/** What a request proves by itself, before the database is read. */
export interface Proof {
  /** From the verified token; null for guests. A `Uid` header is ignored. */
  uid: string | null
  token: TokenIdentity | null
  /** SHA-256 of the browser's random guest key; null when none was sent. */
  guestHash: string | null
  /** A tracking link's token, which opens that one order. */
  trackToken: string | null
  /** The hash of a feed's key, unchecked; null when none was sent. */
  feedKeyHash: string | null
  /** The hash of the secret that a session got with its code, unchecked; null when none was sent. */
  sessionHash: string | null
  /** The key of an agent's machine, which sends no token; it may have ended since. */
  machineKey: MachineKey | null
}

/** What a request's proof is read with. */
interface Provers {
  verifyToken: TokenVerifier
  /** The keys of agents' machines. */
  machineKeys: KeyRing
}

/** Who sent a request, as far as it could prove. */
export interface Identity extends Proof {
  caller: Caller
  account: Account | null
  /** Whether the session signed in by a way that the account has; if not, only the sign-in may be recorded. */
  isOwnWay: boolean
  /** How far the session is with the second factor; null when none is required. */
  totp: TotpState | null
}

/** A caller who proved nothing and sent no key. */
export const GUEST: Identity = {
  caller: 'guest',
  uid: null,
  token: null,
  account: null,
  isOwnWay: true,
  totp: null,
  guestHash: null,
  trackToken: null,
  feedKeyHash: null,
  sessionHash: null,
  machineKey: null,
}

/**
 * Returns the owner keys of a caller: `u:<uid>` for their account, `g:<hash>` for what they made as a guest in this
 * browser.
 */
export const ownerKeys = ({ uid, guestHash }: Pick<Identity, 'uid' | 'guestHash'>): string[] => [
  ...(uid ? [`u:${uid}`] : []),
  ...(guestHash ? [`g:${guestHash}`] : []),
]

/** Returns the owner key under which a caller creates things; null for a guest who sent no key. */
export const ownerKey = (identity: Pick<Identity, 'uid' | 'guestHash'>): string | null => ownerKeys(identity)[0] ?? null

/**
 * Returns that owner key. @throws INVALID_INPUT for a guest without a key, because an address is shared by many people
 */
export function mustHaveKey(identity: Pick<Identity, 'uid' | 'guestHash'>): string {
  const key = ownerKey(identity)
  if (!key) throw new AppError('INVALID_INPUT', { fields: { 'guest-key': 'กรุณาโหลดหน้านี้ใหม่' } })
  return key
}

/**
 * Tells whether something made under `key` belongs to the caller: to their account, or made as a guest in this browser.
 */
export function isOwner(identity: Pick<Identity, 'uid' | 'guestHash'>, key: string): boolean {
  return ownerKeys(identity).includes(key)
}

/** Hashes random secrets that others hold, so that only the hash is stored here. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const GUEST_KEY = /^[A-Za-z0-9_-]{22,64}$/
const TRACK_TOKEN = /^[A-Za-z0-9_-]{22}$/
/** 256 random bits, the form of the keys of feeds and the secrets of sessions. */
const MADE_KEY = /^[A-Za-z0-9_-]{43}$/

/** The actions that stay open while an account must first change its password or PIN. */
const OPEN_WHILE_FORCED: readonly Action[] = [
  'catalogue.browse',
  'account.sync',
  'account.own',
  'account.signIn',
  'pin.change',
  'totp.own',
]

/** Refuses a session that has ended, for every action. */
function mustBeLive(token: TokenIdentity, account: Account, now: Date): void {
  if (account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (cameBefore(token, account.tokensValidAfter)) throw new AppError('SESSION_REVOKED')
  if (!isAdminSide(account.role)) return
  if (now.getTime() - token.signedInAt.getTime() > STAFF_SESSION_SECONDS * 1000) throw new AppError('SESSION_EXPIRED')
  if (cameFromLine(token) && !mayUseLine(account.role)) throw new AppError('LINE_NOT_ALLOWED')
}

/**
 * Returns the key of an agent's machine by what it sent as its bearer token; null for anything else. @throws KEY_UNKNOWN
 * for an unknown key and a wrong secret
 */
async function findMachineKey(bearer: string, { machineKeys }: Provers): Promise<MachineKey | null> {
  const sent = readKey(bearer)
  if (!sent) return null
  const key = await machineKeys.find(sent.id)
  // Two hashes of what only the caller chose tell nothing by the time that comparing them takes.
  if (key?.secretHash !== hashSecret(sent.secret)) throw new AppError('KEY_UNKNOWN')
  return key
}

/**
 * Reads what a request proves. @param opensByKey whether the keys of machines open what it asks for; elsewhere one is no
 * token. @throws UNAUTHENTICATED for a bad token, even where guests are allowed
 */
export async function prove(request: HonoRequest, provers: Provers, opensByKey = false): Promise<Proof> {
  const guestKey = request.header('guest-key')
  const trackToken = request.header('track-token')
  const feedKey = request.header('x-feed-key')
  const sessionKey = request.header(SESSION_KEY)
  const authorization = request.header('authorization')
  const bearer = authorization && /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (authorization && !bearer) throw new AppError('UNAUTHENTICATED')
  const machineKey = bearer && opensByKey ? await findMachineKey(bearer, provers) : null
  const token = bearer && !machineKey ? await provers.verifyToken(bearer) : null
  return {
    uid: machineKey?.uid ?? token?.uid ?? null,
    token,
    machineKey,
    guestHash: guestKey && GUEST_KEY.test(guestKey) ? hashSecret(guestKey) : null,
    trackToken: trackToken && TRACK_TOKEN.test(trackToken) ? trackToken : null,
    feedKeyHash: feedKey && MADE_KEY.test(feedKey) ? hashSecret(feedKey) : null,
    sessionHash: sessionKey && MADE_KEY.test(sessionKey) ? hashSecret(sessionKey) : null,
  }
}

/** The second factor before it was read; it opens nothing of the back office. */
const UNKNOWN: TotpState = { isRequired: true, isEnrolled: false, isConfirmed: false }

/**
 * Returns the caller by their account, without a second factor. Throws 401 for an ended session and 403 for an account
 * that may not sign in. @param account of the proof's uid; null without one
 */
export function identityOf(proof: Proof, account: Account | null, now: Date): Identity {
  const { token, machineKey } = proof
  if (machineKey) mustBeInForce(account)
  const caller: Caller = account?.role ?? (token ? 'customer' : 'guest')
  const identity = { ...proof, caller, account, totp: isAdminSide(caller) ? UNKNOWN : null }
  if (!token || !account) return { ...identity, isOwnWay: true }
  mustBeLive(token, account, now)
  return { ...identity, isOwnWay: isOwnWay(account, token, now) }
}

/** Refuses a key that has ended, and one whose account is closed or gone. */
function mustBeInForce(account: Account | null): void {
  if (!account || account.keyEndedAt) throw new AppError('KEY_ENDED')
  if (account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
}

/** Returns the caller with everything that the database knows of them. */
export async function identify(proof: Proof, { db, now }: { db: Sql; now: () => Date }): Promise<Identity> {
  const { token, machineKey } = proof
  if (machineKey) return identityOf(proof, await findAccountOfKey(db, machineKey.id), now())
  const account = token && (await findAccount(db, token.uid))
  const identity = identityOf(proof, account, now())
  return token && account && isAdminSide(account.role)
    ? { ...identity, totp: await findTotpState(db, token, proof.sessionHash) }
    : identity
}

/**
 * Returns the caller of an earlier request by their current account; their session and second factor were proven then.
 * @throws ACCOUNT_INACTIVE, and SESSION_REVOKED when their sessions ended since
 */
export async function identifyAsker(
  { db }: { db: Sql },
  { uid, guestHash, since }: { uid: string; guestHash: string | null; since: Date },
): Promise<Identity> {
  const account = await findAccount(db, uid)
  if (!account || account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (account.tokensValidAfter && account.tokensValidAfter > since) throw new AppError('SESSION_REVOKED')
  return { ...GUEST, uid, guestHash, account, caller: account.role }
}

/** The back office works without a PIN, so a PIN that staff gave keeps its owner only from spending. */
const mustChangePinFirst = ({ role, mustChangePin }: Account, action: Action): boolean =>
  mustChangePin && (!isAdminSide(role) || action === 'order.payByWallet')

/**
 * Returns why a caller may not do an action now: their role lacks it, or they must first prove an address, change a
 * password or PIN, or type a code.
 */
function refusalOf(identity: Identity, action: Action): ErrorCode | null {
  const { caller, token, account, isOwnWay: isOwn, totp, machineKey } = identity
  if (isOfMachines(action) || machineKey) {
    const scope = scopeOf(action)
    if (!machineKey) return 'KEY_UNKNOWN'
    if (!scope) return 'FORBIDDEN'
    if (!machineKey.scopes.includes(scope)) return 'KEY_SCOPE_MISSING'
  }
  // Recording the sign-in decides whose account it is, so it stays open.
  if (token && !isOwn && action !== 'account.sync') return cameFromLine(token) ? 'SESSION_REVOKED' : 'SIGN_IN_THEN_LINK'
  if (!can(caller, action)) return caller === 'guest' ? 'UNAUTHENTICATED' : 'FORBIDDEN'
  if (!account || OPEN_WHILE_FORCED.includes(action)) return null
  if (account.mustChangePassword) return 'PASSWORD_CHANGE_REQUIRED'
  if (mustChangePinFirst(account, action)) return 'PIN_CHANGE_REQUIRED'
  // In the storefront staff are customers, and there is no place to type a code.
  return isBackOffice(action) && totp?.isRequired && !totp.isConfirmed ? 'TOTP_REQUIRED' : null
}

/** Throws when the caller may not do the action now. */
export function authorise(identity: Identity, action: Action): void {
  const refusal = refusalOf(identity, action)
  if (refusal === 'KEY_SCOPE_MISSING') throw new AppError(refusal, { details: { scope: scopeOf(action) } })
  if (refusal) throw new AppError(refusal)
}

/**
 * Tells whether the caller may do the action now. Shared endpoints that show or do more for staff ask this and not the
 * table of permissions, which knows only roles: somebody who has only the password of a staff member must be treated as
 * a stranger.
 */
export const may = (identity: Identity, action: Action): boolean => refusalOf(identity, action) === null

/**
 * Throws unless the caller may do the action to things of other people. A caller whose role lacks it gets the error
 * `hidden`, as if the thing did not exist.
 */
export function authoriseForeign(identity: Identity, action: Action, hidden: ErrorCode): void {
  if (!can(identity.caller, action)) throw new AppError(hidden)
  authorise(identity, action)
}
