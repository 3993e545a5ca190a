import * as z from 'zod'
import { pin } from '../account/fields.ts'
import { line, typed } from '../line.ts'
import { KEY_MODES, KEY_SCOPES, MOST_ADDRESSES } from './reseller.ts'

// What an agent types about their keys. Kept apart, so that the storefront's forms validate like the server.

/** An address, or a network as "203.0.113.0/24"; the server reads it. */
const address = typed().min(2).max(50)

export const newKey = z.object({
  name: line(50).min(1),
  mode: z.enum(KEY_MODES),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1).max(KEY_SCOPES.length),
  /** The only addresses that may use it; empty for any. */
  addresses: z.array(address).max(MOST_ADDRESSES),
  /** The most that it spends in a Bangkok day; null without limit. */
  dailyLimitSatang: z.int().min(100).max(1_000_000_000).nullable(),
  pin,
})
