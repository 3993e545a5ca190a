import * as z from 'zod'
import { line } from '../line.ts'
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH, PIN_RULE } from './account.ts'

// Fields that people type about their account. The storefront's build removes the schemas of endpoints.ts but keeps
// these, so that its forms validate like the server.

export const username = line(50)
export const name = line(100)
export const phone = line(20)
export const password = z.string().min(MINIMUM_PASSWORD_LENGTH).max(MAXIMUM_PASSWORD_LENGTH)
export const pin = z.string().regex(/^\d{4}$/, PIN_RULE)
/** Of an authenticator app, or sent to the owner of an account. */
export const code = z.string().regex(/^\d{6}$/)
