import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { AppError, invariant } from '@shop/shared/errors.ts'
import * as z from 'zod'

declare module '../shop/shop.ts' {
  interface Shop {
    pins: Pins
  }
}

/** A secret that PINs are hashed with; stored hashes carry its name. */
export interface PinKey {
  name: string
  secret: string
}

const DEVELOPMENT_SECRET = 'only-for-development-and-no-secret'
/** The key of setups that keep no secrets; production refuses it. */
export const DEVELOPMENT_PIN_KEYS = `v1:${DEVELOPMENT_SECRET}`
export const isDevelopmentPinKey = ({ secret }: PinKey): boolean => secret === DEVELOPMENT_SECRET

const KEY_NAME = /^[a-z0-9]{1,16}$/
/** Printable ASCII without blanks or commas, because commas separate the keys. */
const SECRET = /^[\x21-\x7e]{32,}$/

/** Reads "v2:<secret>,v1:<secret>", newest first. Messages about mistakes never contain a secret. */
export const pinKeys = z.string().transform((text, { issues }): PinKey[] => {
  const keys = text.split(',').map(part => {
    const [name = '', ...secret] = part.trim().split(':')
    return { name, secret: secret.join(':') }
  })
  const refuse = (message: string) => issues.push({ code: 'custom', input: undefined, message })
  keys.forEach(({ name, secret }, index) => {
    if (!KEY_NAME.test(name)) refuse(`key ${index + 1} needs a name of at most 16 letters a-z and digits`)
    else if (!SECRET.test(secret))
      refuse(`key ${name} needs a secret of at least 32 printable characters without blanks`)
  })
  if (new Set(keys.map(key => key.name)).size < keys.length) refuse('two keys have the same name')
  if (new Set(keys.map(key => key.secret)).size < keys.length) refuse('two keys have the same secret')
  return keys
})

/** Hashes PINs and compares them. */
export interface Pins {
  /** Returns the text to store for a person's PIN: "v1$<43 characters>", made with the newest key. */
  hash(uid: string, pin: string): string
  /**
   * Tells whether a typed PIN matches the stored one. @throws PIN_UNREADABLE when the key it was stored with no longer
   * exists
   */
  isRight(uid: string, kept: string, pin: string): Promise<boolean>
  /**
   * Tells whether the stored text is what `hash` would write now. If not, the next right PIN is stored again with the
   * newest key.
   */
  isCurrent(kept: string): boolean
}

const ARGON2 = '$argon2id$'
/** The stored form: a key's name and a MAC. */
const KEPT = /^([a-z0-9]{1,16})\$([\w-]{43})$/

function unreadable(keyName: string): AppError {
  const cause = new Error(`invariant broken: PIN_KEYS has the key ${keyName} of a kept PIN`)
  return new AppError('PIN_UNREADABLE', { cause })
}

/**
 * HMAC-SHA-256 over uid and PIN. Without the key a stolen table reveals nothing, and with the uid in it a row can't be
 * copied to another account. The MAC's key is derived for this use alone.
 */
export function createPins(keys: readonly PinKey[]): Pins {
  const [newest] = keys
  invariant(newest, 'there is a PIN key')
  const derived = new Map(
    keys.map(({ name, secret }) => [name, Buffer.from(hkdfSync('sha256', secret, '', 'shop PIN', 32))]),
  )
  const mac = (key: Buffer, uid: string, pin: string) => createHmac('sha256', key).update(`${uid}\0${pin}`).digest()
  return {
    hash: (uid, pin) => `${newest.name}$${mac(derived.get(newest.name)!, uid, pin).toString('base64url')}`,
    async isRight(uid, kept, pin) {
      if (kept.startsWith(ARGON2)) return verify(kept, pin)
      const [, name = 'without a name', digest = ''] = KEPT.exec(kept) ?? []
      const key = derived.get(name)
      if (!key) throw unreadable(name)
      return timingSafeEqual(Buffer.from(digest, 'base64url'), mac(key, uid, pin))
    },
    isCurrent: kept => kept.startsWith(`${newest.name}$`),
  }
}

/** Uses the development key, as servers without a configuration of their own do. */
export const developmentPins = (): Pins => createPins(pinKeys.parse(DEVELOPMENT_PIN_KEYS))
