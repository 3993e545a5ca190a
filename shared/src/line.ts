import * as z from 'zod'
import { asSeen } from './typed-text.ts'

/** Every text that people type passes here: as it looks, and trimmed. */
export const typed = () => z.string().overwrite(asSeen).trim()

/** An address of mail that somebody typed. */
export const typedMail = () => typed().pipe(z.email().max(200))

/**
 * One line of typed text without control characters, and with at least one letter that is seen. What resellers were told is
 * refused stands here as it was published; of it no text has anything left.
 */
export const line = (maxLength: number) =>
  typed()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u)
    .regex(/^$|[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u)

/** Typed text of several lines, with the same characters refused. */
export const lines = (maxLength: number) =>
  typed()
    .max(maxLength)
    .regex(/^(\n|[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069])*$/u)
