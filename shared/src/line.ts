import * as z from 'zod'

/**
 * One line of typed text: trimmed, without control or text-direction characters that could mislead a reader, and with
 * at least one visible character.
 */
export const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u)
    .regex(/^$|[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u)

/** Typed text of several lines, with the same characters refused. */
export const lines = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .regex(/^(\n|[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069])*$/u)
