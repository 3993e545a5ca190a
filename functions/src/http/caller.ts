import { createHash } from 'node:crypto'
import type { TotpState } from '@shop/shared/account/endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { type Action, type Caller, can, isAdminSide, isBackOffice, mayUseLine } from '@shop/shared/permissions.ts'
import type { HonoRequest } from 'hono'
import { cameBefore, cameFromLine, isOwnWay, STAFF_SESSION_SECONDS } from '../account/session.ts'
import { type Account, findAccount } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'
import { findTotpState } from '../account/totp-store.ts'
import type { Shop } from '../shop.ts'

/** What a request proves by itself, before the database is asked. */
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
}

/** Who sent a request, as far as it could prove. */
export interface Identity extends Proof {
  caller: Caller
  account: Account | null
  /** Whether the session came in by a way that is the account's own; else it may only be recorded. */
  isOwnWay: boolean
  /** How far a session is with the second factor; null where none is asked for. */
  totp: TotpState | null
}

/** Somebody who proved nothing and sent no key. */
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
}

/** Owner keys of a caller: `u:<uid>` of the account, `g:<hash>` of what was made as a guest in this browser. */
export const ownerKeys = ({ uid, guestHash }: Pick<Identity, 'uid' | 'guestHash'>): string[] => [
  ...(uid ? [`u:${uid}`] : []),
  ...(guestHash ? [`g:${guestHash}`] : []),
]

/** The one of them under which a caller makes things; null when a guest sent no key. */
export const ownerKey = (identity: Pick<Identity, 'uid' | 'guestHash'>): string | null => ownerKeys(identity)[0] ?? null

/** The same of somebody who must have one. @throws INVALID_INPUT: an address is shared by many and names nobody. */
export function mustHaveKey(identity: Pick<Identity, 'uid' | 'guestHash'>): string {
  const key = ownerKey(identity)
  if (!key) throw new AppError('INVALID_INPUT', { fields: { 'guest-key': 'กรุณาโหลดหน้านี้ใหม่' } })
  return key
}

/** Whether something made under `key` is the caller's: by account, or made as a guest in this same browser. */
export function isOwner(identity: Pick<Identity, 'uid' | 'guestHash'>, key: string): boolean {
  return ownerKeys(identity).includes(key)
}

/** How random secrets that others hold are kept here. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const GUEST_KEY = /^[A-Za-z0-9_-]{22,64}$/
const TRACK_TOKEN = /^[A-Za-z0-9_-]{22}$/
/** 256 random bits, as the shop makes feeds' keys and sessions' secrets. */
const MADE_KEY = /^[A-Za-z0-9_-]{43}$/

/** What an account must still do before it may do anything else, and what stays open meanwhile. */
const OPEN_WHILE_FORCED: readonly Action[] = [
  'catalogue.browse',
  'account.sync',
  'account.own',
  'account.signIn',
  'pin.change',
  'totp.own',
]

/** Refuses a session that is over, whatever it asks for. */
function mustBeLive(token: TokenIdentity, account: Account, now: Date): void {
  if (account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (cameBefore(token, account.tokensValidAfter)) throw new AppError('SESSION_REVOKED')
  if (!isAdminSide(account.role)) return
  if (now.getTime() - token.signedInAt.getTime() > STAFF_SESSION_SECONDS * 1000) throw new AppError('SESSION_EXPIRED')
  if (cameFromLine(token) && !mayUseLine(account.role)) throw new AppError('LINE_NOT_ALLOWED')
}

/** @throws UNAUTHENTICATED for a bad token, also where guests may */
export async function prove(request: HonoRequest, shop: Shop): Promise<Proof> {
  const guestKey = request.header('guest-key')
  const trackToken = request.header('track-token')
  const feedKey = request.header('x-feed-key')
  const sessionKey = request.header(SESSION_KEY)
  const authorization = request.header('authorization')
  const bearer = authorization && /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (authorization && !bearer) throw new AppError('UNAUTHENTICATED')
  const token = bearer ? await shop.verifyToken(bearer) : null
  return {
    uid: token?.uid ?? null,
    token,
    guestHash: guestKey && GUEST_KEY.test(guestKey) ? hashSecret(guestKey) : null,
    trackToken: trackToken && TRACK_TOKEN.test(trackToken) ? trackToken : null,
    feedKeyHash: feedKey && MADE_KEY.test(feedKey) ? hashSecret(feedKey) : null,
    sessionHash: sessionKey && MADE_KEY.test(sessionKey) ? hashSecret(sessionKey) : null,
  }
}

/** Before anybody looked: nothing of the back office opens. */
const UNKNOWN: TotpState = { isRequired: true, isEnrolled: false, isConfirmed: false }

/**
 * Who that is by their account, without a second factor; throws 401 for an ended session and 403 for an account that may
 * not come in with it.
 * @param account of the proof's uid; null without one
 */
export function identityOf(proof: Proof, account: Account | null, now: Date): Identity {
  const { token } = proof
  const caller: Caller = account?.role ?? (token ? 'customer' : 'guest')
  const identity = { ...proof, caller, account, totp: isAdminSide(caller) ? UNKNOWN : null }
  if (!token || !account) return { ...identity, isOwnWay: true }
  mustBeLive(token, account, now)
  return { ...identity, isOwnWay: isOwnWay(account, token, now) }
}

/** The same with all that the database says. */
export async function identify(proof: Proof, shop: Shop): Promise<Identity> {
  const { token } = proof
  const account = token && (await findAccount(shop.db, token.uid))
  const identity = identityOf(proof, account, shop.now())
  return token && account && isAdminSide(account.role)
    ? { ...identity, totp: await findTotpState(shop.db, token, proof.sessionHash) }
    : identity
}

/**
 * Who asked for something a while ago, as they stand now; their session and its second factor were proven then.
 * @throws ACCOUNT_INACTIVE, and SESSION_REVOKED where their sessions were ended since
 */
export async function identifyAsker(
  { db }: Pick<Shop, 'db'>,
  { uid, guestHash, since }: { uid: string; guestHash: string | null; since: Date },
): Promise<Identity> {
  const account = await findAccount(db, uid)
  if (!account || account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  if (account.tokensValidAfter && account.tokensValidAfter > since) throw new AppError('SESSION_REVOKED')
  return { ...GUEST, uid, guestHash, account, caller: account.role }
}

/** The back office works without a PIN: one that staff were given keeps them from spending, and from nothing else. */
const mustChangePinFirst = ({ role, mustChangePin }: Account, action: Action): boolean =>
  mustChangePin && (!isAdminSide(role) || action === 'order.payByWallet')

/** Why a caller may not do an action now: their role does not have it, or it waits for a proof, a new password or PIN, a code. */
function refusalOf({ caller, token, account, isOwnWay: isOwn, totp }: Identity, action: Action): ErrorCode | null {
  // Recording the sign-in settles whose account it is.
  if (token && !isOwn && action !== 'account.sync') return cameFromLine(token) ? 'SESSION_REVOKED' : 'SIGN_IN_THEN_LINK'
  if (!can(caller, action)) return caller === 'guest' ? 'UNAUTHENTICATED' : 'FORBIDDEN'
  if (!account || OPEN_WHILE_FORCED.includes(action)) return null
  if (account.mustChangePassword) return 'PASSWORD_CHANGE_REQUIRED'
  if (mustChangePinFirst(account, action)) return 'PIN_CHANGE_REQUIRED'
  // In the storefront staff are customers, and there is nowhere to type a code.
  return isBackOffice(action) && totp?.isRequired && !totp.isConfirmed ? 'TOTP_REQUIRED' : null
}

/** Refuses what the caller may not do now. */
export function authorise(identity: Identity, action: Action): void {
  const refusal = refusalOf(identity, action)
  if (refusal) throw new AppError(refusal)
}

/**
 * Whether the caller may do an action now. What a shared endpoint shows or does more for staff asks this and not the table
 * of permissions, which knows roles alone: whoever has only the password of somebody on the staff is a stranger there.
 */
export const may = (identity: Identity, action: Action): boolean => refusalOf(identity, action) === null

/** Refuses what is not the caller's own: to whom the back office is closed it is not there. */
export function authoriseForeign(identity: Identity, action: Action, hidden: ErrorCode): void {
  if (!can(identity.caller, action)) throw new AppError(hidden)
  authorise(identity, action)
}
