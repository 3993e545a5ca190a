import * as z from 'zod'
import { line } from '../line.ts'
import { latinDigits, withoutGaps } from '../typed-text.ts'
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH, PIN_RULE } from './account.ts'

// Fields that people type about their account. The storefront's build removes the schemas of endpoints.ts but keeps
// these, so that its forms validate like the server.

export const username = line(50)
export const name = line(100)
export const phone = line(20)
export const password = z.string().min(MINIMUM_PASSWORD_LENGTH).max(MAXIMUM_PASSWORD_LENGTH)
/** Digits that were typed on a Thai keyboard, or copied with what stands between them. */
const digits = () => z.string().overwrite(text => latinDigits(withoutGaps(text)))
export const pin = digits().regex(/^\d{4}$/, PIN_RULE)
/** Of an authenticator app, or sent by mail. */
export const code = digits().regex(/^\d{6}$/)
