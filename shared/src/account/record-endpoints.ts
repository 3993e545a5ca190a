import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant, satang } from '../wire.ts'
import { uid } from './endpoints.ts'

const record = z.object({
  /** null when the identity provider has not seen them yet. */
  lastSignInAt: instant.nullable(),
  /** null when they have no wallet. */
  walletSatang: satang.nullable(),
  /** null when they never had shop credit. */
  creditSatang: satang.nullable(),
  /** The keys of their machines that work now. */
  keys: z.int(),
})
export type AccountRecord = z.output<typeof record>

export const getAccountRecord = endpoint({
  method: 'GET',
  path: '/romons.users/api/user/:uid/record',
  summary: 'When somebody last signed in, what money of theirs the shop holds, and how many keys their machines have',
  allow: 'account.edit',
  params: z.object({ uid }),
  reply: record,
  errors: ['NOT_FOUND'],
})
