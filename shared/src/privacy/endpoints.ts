import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant, page, paging } from '../wire.ts'
import { ERASURE_BARRIERS, ERASURE_STATE_NAMES } from './erasure.ts'

const state = z.enum(ERASURE_STATE_NAMES)

const ownErasure = z.object({
  /** The request that waits or is under way; null without one. */
  request: z.object({ state, askedAt: instant }).nullable(),
  /** What the owner must settle first; empty when they may ask. */
  barriers: z.array(z.enum(ERASURE_BARRIERS)),
})
export type OwnErasure = z.output<typeof ownErasure>

export const getOwnErasure = endpoint({
  method: 'GET',
  path: '/romons.users/api/privacy/erasure',
  summary: 'Whether the caller asked to be erased, and what stands against it',
  allow: 'account.own',
  reply: ownErasure,
  errors: ['NOT_FOUND'],
})

export const askErasure = endpoint({
  method: 'POST',
  path: '/romons.users/api/privacy/erasure',
  summary:
    'Asks for the erasure of the caller’s account; what they bought as a guest in this browser goes with it. The caller must have signed in within five minutes',
  allow: 'account.own',
  reply: ownErasure,
  errors: ['RECENT_SIGN_IN_REQUIRED', 'ERASURE_BARRED', 'NOT_FOUND'],
})

export const withdrawErasure = endpoint({
  method: 'DELETE',
  path: '/romons.users/api/privacy/erasure',
  summary: 'Takes the caller’s request to be erased back, as long as nobody has approved it',
  allow: 'account.own',
  reply: ownErasure,
  errors: ['ERASURE_OVER', 'NOT_FOUND'],
})

export const downloadOwnData = endpoint({
  method: 'GET',
  path: '/romons.users/api/privacy/data',
  summary: 'Everything that the shop keeps of the caller, as JSON',
  allow: 'account.own',
  reply: z.unknown(),
  replyKind: 'binary',
  errors: ['RATE_LIMITED', 'NOT_FOUND'],
})

const erasure = z.object({
  id: z.uuid(),
  state,
  askedAt: instant,
  approvedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** null once the account is erased. */
  account: z.object({ uid: z.string(), name: z.string() }).nullable(),
  approvedByName: z.string().nullable(),
  secondByName: z.string().nullable(),
  /** What stands against it now. */
  barriers: z.array(z.enum(ERASURE_BARRIERS)),
})
export type Erasure = z.output<typeof erasure>

export const listErasures = endpoint({
  method: 'GET',
  path: '/romons.users/api/privacy/erasures',
  summary: 'Requests of owners to erase their accounts: those that are open, oldest first, or those that are over',
  allow: 'account.erase',
  query: z.object({ ...paging, state: z.enum(['open', 'over']).default('open') }),
  reply: page(erasure),
})

export const approveErasure = endpoint({
  method: 'POST',
  path: '/romons.users/api/privacy/erasures/:id/approve',
  summary: 'Approves the erasure of an account whose owner asked for it; takes a second admin',
  allow: 'account.erase',
  secondWord: 'runs',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.uuid() }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ERASURE_OVER', 'ERASURE_BARRED', 'SECOND_WORD_NEEDED'],
})
