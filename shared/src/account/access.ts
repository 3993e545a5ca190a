import { keysOf } from '../table.ts'

/** What hangs on which secret of an account: a change of the secret ends what was made under the old one. */

/** What opens an account. */
export const SECRETS = ['password', 'pin', 'app', 'link', 'email'] as const
export type Secret = (typeof SECRETS)[number]

/**
 * What becomes of something when a secret changes. `ends`: whoever changes the secret. `asked`: its owner says what they
 * keep, and of that alone it goes on; what the shop sets asks nobody and ends it. `shop`: only what the shop sets ends it.
 */
export type Fate = 'ends' | 'asked' | 'shop' | 'stays'

/** Everything that is made in an account and goes on by itself. */
const ACCESS = {
  /** The sessions of browsers; whoever knows the password has one. */
  session: { password: 'ends', pin: 'stays', app: 'shop', link: 'shop', email: 'ends' },
  /** Sessions of the back office that gave a code. */
  confirmation: { password: 'ends', pin: 'stays', app: 'ends', link: 'shop', email: 'ends' },
  /** An authenticator app that waits for its first code, in the session that began it. */
  waitingApp: { password: 'ends', pin: 'stays', app: 'ends', link: 'shop', email: 'ends' },
  /** A question to a second person waits as the session that asked it. */
  askedWord: { password: 'ends', pin: 'stays', app: 'shop', link: 'shop', email: 'ends' },
  /**
   * Keys and endpoints are made in a session with the PIN. Who takes a way to sign in from their own account, or changes
   * its address, takes nothing from somebody who knows the PIN; changing that asks.
   */
  apiKey: { password: 'asked', pin: 'asked', app: 'shop', link: 'shop', email: 'stays' },
  webhook: { password: 'asked', pin: 'asked', app: 'shop', link: 'shop', email: 'stays' },
  /** Other ways to sign in: LINE, Google, Facebook. Each is taken away by itself; nothing of one hangs on another. */
  link: { password: 'asked', pin: 'stays', app: 'stays', link: 'stays', email: 'stays' },
  /** A way that is just being added: the code for LINE, and the announcement of another. */
  waitingLink: { password: 'ends', pin: 'stays', app: 'shop', link: 'ends', email: 'ends' },
  /** A code that went to the owner where they could be reached; whoever changes that, or sets a PIN, needs a new one. */
  ownerCode: { password: 'ends', pin: 'ends', app: 'stays', link: 'ends', email: 'ends' },
  /** What the shop gave until its owner chose their own. */
  oneTimePassword: { password: 'ends', pin: 'stays', app: 'stays', link: 'stays', email: 'stays' },
  oneTimePin: { password: 'stays', pin: 'ends', app: 'stays', link: 'stays', email: 'stays' },
} as const satisfies Record<string, Record<Secret, Fate>>
export type Access = keyof typeof ACCESS
export const ALL_ACCESS = keysOf(ACCESS)

/** Tells whether something is among what a change of a secret ends; of what is asked about, all that is not kept. */
export const endsWith = (access: Access, secret: Secret, byShop: boolean): boolean => {
  const fate: Fate = ACCESS[access][secret]
  return fate === 'ends' || fate === 'asked' || (fate === 'shop' && byShop)
}

/** What an owner is asked about when they change a secret themself. */
export const isAskedOf = (access: Access, secret: Secret): boolean => (ACCESS[access][secret] as Fate) === 'asked'
