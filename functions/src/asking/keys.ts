import { createHash } from 'node:crypto'
import * as z from 'zod'

/** Several secrets for one purpose, so that a new one takes an old one's place while both are accepted. */

/**
 * The values of a variable that holds several, separated by commas, the newest first. An address may have commas in its
 * password, so only one before another address separates.
 */
export const valuesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(text.includes('://') ? /,(?=\s*[a-z]+:\/\/)/ : ',')
      .map(part => part.trim())
      .filter(Boolean),
  ),
]

/** A variable with several secrets. Those that others give us may be short. */
export const listOfSecrets = (leastLength = 1) =>
  z
    .string()
    .default('')
    .transform(valuesOf)
    .refine(
      secrets => secrets.every(({ length }) => length >= leastLength),
      `a secret has at least ${leastLength} characters`,
    )

const FINGERPRINT_DIGITS = 8

/** Tells secrets apart without telling them. */
export const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(`fingerprint\n${secret}`).digest('hex').slice(0, FINGERPRINT_DIGITS)

/** Under which name the pulse keeps when a secret was last accepted. */
export const pulseOfKey = (variable: string, secret: string): string => `key:${variable}:${fingerprintOf(secret)}`

/** What an answer says about the key that was used; null when it says nothing. */
export type KeyVerdict = 'accepted' | 'refused' | null

/** A key that was refused is tried after the others for this long: it may be accepted later, or never again. */
const REST_MS = 300_000

type Asking<Key> = <Answer>(
  ask: (key: Key) => Promise<Answer>,
  judge: (answer: Answer) => KeyVerdict,
) => Promise<Answer>

/**
 * Asks somebody who knows one of several keys, the newest first: when it is refused, the same is asked with the next
 * one. It is for questions that a refusal leaves undone. The answer is a refusal only when no key is accepted.
 */
export function askWithAny<Key>(
  keys: readonly Key[],
  onAccepted: (key: Key) => Promise<void> | void = () => {},
  restMs = REST_MS,
): Asking<Key> {
  const refusedAt = new Map<Key, number>()
  const rests = (key: Key) => performance.now() - (refusedAt.get(key) ?? Number.NEGATIVE_INFINITY) < restMs
  return async (ask, judge) => {
    const order = [...keys.filter(key => !rests(key)), ...keys.filter(rests)]
    for (const [tried, key] of order.entries()) {
      const answer = await ask(key)
      const verdict = judge(answer)
      if (verdict === 'accepted') {
        refusedAt.delete(key)
        await onAccepted(key)
      }
      if (verdict !== 'refused') return answer
      refusedAt.set(key, performance.now())
      if (tried === order.length - 1) return answer
    }
    throw new Error('invariant broken: there is a key')
  }
}
