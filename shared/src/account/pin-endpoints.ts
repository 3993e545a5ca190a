import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant } from '../wire.ts'
import { CHANGE_ERRORS, kept } from './access-endpoints.ts'
import { isOwnerTold, me, uid } from './endpoints.ts'
import { code, pin } from './fields.ts'

/**
 * Why a proof that the caller is the owner of their account may be missing or refused. They sign in within five minutes by a
 * way that is theirs (else RECENT_SIGN_IN_REQUIRED), or send a code where the session came by another way (else
 * OWNER_CODE_REQUIRED).
 */
const PROOF_ERRORS = ['RECENT_SIGN_IN_REQUIRED', 'OWNER_CODE_REQUIRED', 'NUMBER_WRONG', 'NUMBER_OVER'] as const

export const sendOwnerCode = endpoint({
  method: 'POST',
  path: '/romons.payment/api/wallet/ownercode',
  summary:
    'Sends the caller a code for their first PIN, in LINE or by mail, where the account could be reached a day ago; it ends the one before',
  allow: 'pin.change',
  reply: z.object({
    /** "LINE ของคุณ", or an address of which only enough is shown to recognise it. */
    sentTo: z.string(),
  }),
  errors: ['OWNER_CODE_NO_ADDRESS', 'OWNER_CODE_NOT_SENT', 'SHOP_HOLDS', 'RATE_LIMITED'],
})

/** Why a try at a PIN may be refused, right or wrong. */
export const PIN_ERRORS = ['PIN_LOCKED', 'PIN_NEEDS_RESET', 'PIN_UNREADABLE', 'PIN_NOT_SET'] as const

export const changePin = endpoint({
  method: 'PATCH',
  path: '/romons.payment/api/wallet/changepin',
  summary: 'Changes the caller’s own PIN, or sets the first one for shop credit; wrong old PINs count towards the lock',
  allow: 'pin.change',
  body: z.object({ oldPin: pin.optional(), pin, code: code.optional(), keep: kept.optional() }),
  reply: me,
  errors: [
    'OLD_PIN_WRONG',
    'PIN_SAME',
    ...PIN_ERRORS,
    'PIN_ALREADY_SET',
    ...PROOF_ERRORS,
    'RATE_LIMITED',
    ...CHANGE_ERRORS,
  ],
})

/** The state of the tries at a PIN. */
export const pinState = z.object({
  /** Wrong tries in a row, and on this Bangkok day. */
  wrongTries: z.int(),
  wrongToday: z.int(),
  /** The last lock, while it holds and for a week after it began; `until` null means until staff give a new PIN. */
  lock: z.object({ at: instant, until: instant.nullable(), isHolding: z.boolean() }).nullable(),
})
export type PinState = z.output<typeof pinState>

export const getPinState = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/:uid/pin',
  summary: 'How the tries at somebody’s PIN stand',
  allow: 'account.edit',
  params: z.object({ uid }),
  reply: pinState,
  errors: ['PIN_NOT_SET'],
})

export const resetPin = endpoint({
  method: 'POST',
  path: '/romons.users/api/user/:uid/resetpin',
  summary: 'Gives an account a one-time PIN, shown this once; who holds it can spend what lies on the wallet',
  allow: 'account.edit',
  secondWord: 'repeats',
  params: z.object({ uid }),
  reply: z.object({ pin, isOwnerTold }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'WALLET_NOT_FOUND', 'SECOND_WORD_NEEDED'],
})
