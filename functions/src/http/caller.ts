import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import { type Action, type Caller, can } from '@shop/shared/permissions.ts'
import type { HonoRequest } from 'hono'
import { type Account, findAccount, hasProvider } from '../account/store.ts'
import type { TokenIdentity } from '../account/token.ts'
import type { Shop } from '../shop.ts'

/** Who sent a request, as far as it could prove. */
export interface Identity {
  caller: Caller
  /** From the verified token; null for guests. A `Uid` header is ignored. */
  uid: string | null
  token: TokenIdentity | null
  account: Account | null
  /** SHA-256 of the browser's random guest key; null when none was sent. */
  guestHash: string | null
  /** A tracking link's token, which opens that one order. */
  trackToken: string | null
}

/** Owner key of things a caller makes: `u:<uid>`, `g:<hash>`, or null when a guest sent no key. */
export function ownerKey(identity: Pick<Identity, 'uid' | 'guestHash'>): string | null {
  if (identity.uid) return `u:${identity.uid}`
  return identity.guestHash ? `g:${identity.guestHash}` : null
}

/** The same of somebody who must have one. @throws INVALID_INPUT: an address is shared by many and names nobody. */
export function mustHaveKey(identity: Pick<Identity, 'uid' | 'guestHash'>): string {
  const key = ownerKey(identity)
  if (!key) throw new AppError('INVALID_INPUT', { fields: { 'guest-key': 'กรุณาโหลดหน้านี้ใหม่' } })
  return key
}

/** Whether something made under `key` is the caller's: by account, or made as a guest in this same browser. */
export function isOwner(identity: Pick<Identity, 'uid' | 'guestHash'>, key: string): boolean {
  return (
    (identity.uid !== null && key === `u:${identity.uid}`) ||
    (identity.guestHash !== null && key === `g:${identity.guestHash}`)
  )
}

const GUEST_KEY = /^[A-Za-z0-9_-]{22,64}$/
const TRACK_TOKEN = /^[A-Za-z0-9_-]{22}$/

/** What an account must still do before it may do anything else, and what stays open meanwhile. */
const OPEN_WHILE_FORCED: readonly Action[] = [
  'catalogue.browse',
  'account.sync',
  'account.own',
  'account.signIn',
  'pin.change',
]

/** Works out the caller; throws 401 for a bad or revoked token and 403 for an inactive account. */
export async function identify(request: HonoRequest, shop: Shop): Promise<Identity> {
  const guestKey = request.header('guest-key')
  const trackToken = request.header('track-token')
  const identity: Identity = {
    caller: 'guest',
    uid: null,
    token: null,
    account: null,
    guestHash: guestKey && GUEST_KEY.test(guestKey) ? createHash('sha256').update(guestKey).digest('base64url') : null,
    trackToken: trackToken && TRACK_TOKEN.test(trackToken) ? trackToken : null,
  }
  const authorization = request.header('authorization')
  if (!authorization) return identity
  const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1]
  if (!bearer) throw new AppError('UNAUTHENTICATED')
  const token = await shop.verifyToken(bearer)
  const account = await findAccount(shop.db, token.uid)
  if (account?.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  // Tokens carry whole seconds; one issued in the second of the revocation is the new sign-in.
  if (account?.tokensValidAfter && token.issuedAt.getTime() + 1000 <= account.tokensValidAfter.getTime()) {
    throw new AppError('SESSION_REVOKED')
  }
  if (account && token.provider !== 'custom' && !hasProvider(account, token.provider, shop.now())) {
    throw new AppError('EMAIL_IN_USE')
  }
  return { ...identity, caller: account?.role ?? 'customer', uid: token.uid, token, account }
}

/** Refuses an action the caller's role does not have, or that must wait for a new password or PIN. */
export function authorise(identity: Identity, action: Action): void {
  if (!can(identity.caller, action)) throw new AppError(identity.caller === 'guest' ? 'UNAUTHENTICATED' : 'FORBIDDEN')
  if (!identity.account || OPEN_WHILE_FORCED.includes(action)) return
  if (identity.account.mustChangePassword) throw new AppError('PASSWORD_CHANGE_REQUIRED')
  if (identity.account.mustChangePin) throw new AppError('PIN_CHANGE_REQUIRED')
}
