import { createHash } from 'node:crypto'
import type { TotpState } from '@shop/shared/account/endpoints.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { type Action, type Caller, can, isAdminSide, isBackOffice } from '@shop/shared/permissions.ts'
import type { HonoRequest } from 'hono'
import { cameBefore, cameFromLine, isOwnWay, mayUseLine, STAFF_SESSION_SECONDS } from '../account/session.ts'
import { type Account, findAccount } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'
import { findTotpState } from '../account/totp-store.ts'
import type { Shop } from '../shop.ts'

/** Who sent a request, as far as it could prove. */
export interface Identity {
  caller: Caller
  /** From the verified token; null for guests. A `Uid` header is ignored. */
  uid: string | null
  token: TokenIdentity | null
  account: Account | null
  /** Whether the session came in by a way that is the account's own; else it may only be recorded. */
  isOwnWay: boolean
  /** How far a session of the back office is with the second factor; null for everybody else. */
  totp: TotpState | null
  /** SHA-256 of the browser's random guest key; null when none was sent. */
  guestHash: string | null
  /** A tracking link's token, which opens that one order. */
  trackToken: string | null
  /** The hash of a feed's key, unchecked; null when none was sent. */
  feedKeyHash: string | null
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
const FEED_KEY = /^[A-Za-z0-9_-]{43}$/

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
  if (cameFromLine(token) && !mayUseLine(account)) throw new AppError('LINE_NOT_ALLOWED')
}

/** Works out the caller; throws 401 for a bad or ended session and 403 for an account that may not come in with it. */
export async function identify(request: HonoRequest, shop: Shop): Promise<Identity> {
  const guestKey = request.header('guest-key')
  const trackToken = request.header('track-token')
  const feedKey = request.header('x-feed-key')
  const identity: Identity = {
    ...GUEST,
    guestHash: guestKey && GUEST_KEY.test(guestKey) ? hashSecret(guestKey) : null,
    trackToken: trackToken && TRACK_TOKEN.test(trackToken) ? trackToken : null,
    feedKeyHash: feedKey && FEED_KEY.test(feedKey) ? hashSecret(feedKey) : null,
  }
  const authorization = request.header('authorization')
  if (!authorization) return identity
  const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (!bearer) throw new AppError('UNAUTHENTICATED')
  const token = await shop.verifyToken(bearer)
  const account = await findAccount(shop.db, token.uid)
  const signedIn = { ...identity, caller: account?.role ?? 'customer', uid: token.uid, token, account } as const
  if (!account) return signedIn
  const now = shop.now()
  mustBeLive(token, account, now)
  const totp = isAdminSide(account.role) ? await findTotpState(shop.db, token) : null
  return { ...signedIn, isOwnWay: isOwnWay(account, token, now), totp }
}

/** The back office works without a PIN: one that staff were given keeps them from spending, and from nothing else. */
const mustChangePinFirst = ({ role, mustChangePin }: Account, action: Action): boolean =>
  mustChangePin && (!isAdminSide(role) || action === 'order.payByWallet')

/** Refuses an action the caller's role does not have, or that must wait for a proof, a new password or a new PIN. */
export function authorise({ caller, token, account, isOwnWay: isOwn, totp }: Identity, action: Action): void {
  // Recording the sign-in settles whose account it is.
  if (token && !isOwn && action !== 'account.sync') {
    throw new AppError(cameFromLine(token) ? 'SESSION_REVOKED' : 'SIGN_IN_THEN_LINK')
  }
  if (!can(caller, action)) throw new AppError(caller === 'guest' ? 'UNAUTHENTICATED' : 'FORBIDDEN')
  if (!account || OPEN_WHILE_FORCED.includes(action)) return
  if (account.mustChangePassword) throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (mustChangePinFirst(account, action)) throw new AppError('PIN_CHANGE_REQUIRED')
  // In the storefront staff are customers, and there is nowhere to type a code.
  if (isBackOffice(action) && totp?.isRequired && !totp.isConfirmed) throw new AppError('TOTP_REQUIRED')
}

/** Refuses what is not the caller's own: to whom the back office is closed it is not there. */
export function authoriseForeign(identity: Identity, action: Action, hidden: ErrorCode): void {
  if (!can(identity.caller, action)) throw new AppError(hidden)
  authorise(identity, action)
}
