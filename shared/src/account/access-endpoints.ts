import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant } from '../wire.ts'
import { LINKABLE } from './account.ts'

const made = {
  /** null when it is older than this record. */
  madeAt: instant.nullable(),
  /**
   * The shop set a secret, or a way into the account was added, before it was made, and nobody has kept it since: it may
   * be somebody else's.
   */
  isDoubtful: z.boolean(),
}
const used = {
  ...made,
  isTest: z.boolean(),
  /** null while it never was. */
  usedAt: instant.nullable(),
}

const access = z.object({
  keys: z.array(z.object({ id: z.string(), name: z.string(), ...used })),
  webhooks: z.array(z.object({ id: z.uuid(), url: z.string(), ...used })),
  links: z.array(z.object({ id: z.enum(LINKABLE), ...made })),
})
export type AccessList = z.output<typeof access>

export const listAccess = endpoint({
  method: 'GET',
  path: '/romons.users/api/access/:secret',
  summary: "What of the caller's account goes on after they change a secret only if they keep it",
  allow: 'account.own',
  params: z.object({ secret: z.enum(['password', 'pin']) }),
  reply: access,
  errors: ['NOT_FOUND'],
})

/**
 * What the owner keeps, by its id; all else that hangs on the secret ends, also what was made since they looked. Without
 * it, where something hangs on the secret, nothing changes: ACCESS_UNDECIDED.
 */
export const kept = z.object({
  keys: z.array(z.string().max(100)).max(50),
  webhooks: z.array(z.uuid()).max(50),
  links: z.array(z.enum(LINKABLE)).max(LINKABLE.length),
})
export type KeptAccess = z.output<typeof kept>

/** How a change of one's own secret may be refused beside for the secret itself. */
export const CHANGE_ERRORS = ['ACCESS_UNDECIDED', 'NOT_FOUND'] as const
