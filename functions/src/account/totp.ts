import { createHash } from 'node:crypto'
import * as contract from '@shop/shared/account/endpoints.ts'
import { decideCode, isCodeLocked } from '@shop/shared/account/totp.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { type Person, personOf, type Route, route } from '../http/route.ts'
import type { Shop } from '../shop.ts'
import { editAccount, publish } from './management.ts'
import { mustBeRecent, ownAccount, type SignedIn, signedInOf } from './own-account.ts'
import { STAFF_SESSION_SECONDS } from './session.ts'
import {
  deleteTotp,
  deleteTotpSessions,
  findTotpState,
  insertTotpSession,
  lockTotp,
  type StoredTotp,
  savePendingSecret,
  saveTotp,
} from './totp-store.ts'
import { meOf } from './view.ts'

const ISSUER = 'คราม เติมเกม'
const SECRET_BYTES = 20
const STEP_SECONDS = 30

/** Secrets as they lie in the database: readable with TOTP_KEY only, and for the person they were made for. */
interface Vault {
  seal(uid: string, secret: Uint8Array): Promise<string>
  /** null when another key sealed it. */
  open(uid: string, sealed: string): Promise<Uint8Array | null>
}

function vaultOf({ config }: Pick<Shop, 'config'>): Vault {
  const keyOf = (uid: string) => createHash('sha256').update(`${config.TOTP_KEY}\n${uid}`).digest()
  return {
    seal: (uid, secret) =>
      new CompactEncrypt(secret).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(keyOf(uid)),
    open: (uid, sealed) =>
      compactDecrypt(sealed, keyOf(uid)).then(
        ({ plaintext }) => plaintext,
        () => null,
      ),
  }
}

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    period: STEP_SECONDS,
  })

/** The step whose code this is, now or one before or after; null for a wrong one and for one that was used. */
function stepOf(secret: Uint8Array | null, code: string, usedStep: number, now: Date): number | null {
  const delta = secret && totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta
  return step > usedStep ? step : null
}

type Shops = Pick<Shop, 'db' | 'config'>

async function enrol(shop: Shops, by: SignedIn) {
  mustBeRecent(by)
  const { isEnrolled, isConfirmed } = await findTotpState(shop.db, by.token)
  // Else a stolen password would be enough to bring an app of one's own.
  if (isEnrolled && !isConfirmed) throw new AppError('TOTP_REQUIRED')
  const { uid, username } = await ownAccount(shop, by)
  const secret = new Secret({ size: SECRET_BYTES }).bytes
  await savePendingSecret(shop.db, uid, await vaultOf(shop).seal(uid, secret))
  return { otpauthUri: totpOf(secret, username || uid).toString() }
}

/** One try at the code: of the app in use, or of the one that is being enrolled and takes its place. */
async function tryCode(stored: StoredTotp, vault: Vault, uid: string, code: string, now: Date) {
  const stepFor = async (sealed: string | null, usedStep: number) =>
    sealed === null || isCodeLocked(stored, now) ? null : stepOf(await vault.open(uid, sealed), code, usedStep, now)
  // No code of an app that is only being enrolled was used yet.
  const pendingStep = await stepFor(stored.pendingSecret, 0)
  const step = pendingStep ?? (await stepFor(stored.secret, stored.usedStep))
  const { record, error } = decideCode(stored, step !== null, now)
  const isNewApp = pendingStep !== null
  const enrolled = isNewApp ? { secret: stored.pendingSecret, pendingSecret: null } : {}
  return { change: { ...record, ...enrolled, ...(step !== null && { usedStep: step }) }, isNewApp, error }
}

async function confirm(shop: Shops, by: SignedIn, code: string) {
  const { uid, now, token } = by
  const vault = vaultOf(shop)
  // The row stays locked meanwhile: parallel tries wait and cannot get more than five.
  const error = await shop.db.transaction(async tx => {
    const stored = await lockTotp(tx, uid)
    if (!stored) return new AppError('TOTP_NOT_ENROLLED')
    const tried = await tryCode(stored, vault, uid, code, now)
    await saveTotp(tx, uid, tried.change)
    if (tried.error) return tried.error
    if (tried.isNewApp) await deleteTotpSessions(tx, uid)
    await insertTotpSession(tx, token, addSeconds(now, -STAFF_SESSION_SECONDS))
    return null
  })
  if (error) throw error
  return findTotpState(shop.db, token)
}

async function reset(shop: Pick<Shop, 'db' | 'identityProvider'>, by: Person, uid: string) {
  await editAccount(shop, by, uid, async ({ tx, save }) => {
    if (!(await deleteTotp(tx, uid))) throw new AppError('TOTP_NOT_ENROLLED')
    await save('account.resetTotp', { tokensValidAfter: by.now }, {})
  })
  return publish(shop, uid, true)
}

export const totpRoutes: Route[] = [
  route(contract.getTotp, (_, context) => findTotpState(context.shop.db, signedInOf(context).token)),
  route(contract.enrolTotp, (_, context) => enrol(context.shop, signedInOf(context))),
  route(contract.confirmTotp, ({ body }, context) => confirm(context.shop, signedInOf(context), body.code)),
  route(contract.resetTotp, async ({ params }, context) =>
    meOf(await reset(context.shop, personOf(context), params.uid)),
  ),
]
