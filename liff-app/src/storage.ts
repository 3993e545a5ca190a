import { keysOf } from '@shop/shared/table.ts'

/** What this shop keeps in the browser. Nothing else in local storage is touched. */
const KEYS = {
  /** The selection being made: game, player, payment, package. */
  draft: 'GamePackage',
  /** Version of the terms accepted for that selection. */
  acceptedTerms: 'AcceptTerm',
  /** The terms that the server was told of: who accepted which version. */
  toldTerms: 'toldTerms',
  /** The order being paid. */
  order: 'data',
  /** The charge that the buyer has gone to pay at another page. */
  leftForCharge: 'leftForCharge',
  /** The one request that places the order, until it is answered. */
  placing: 'placing',
  /** Random name of this browser, by which a guest's orders are found again. */
  guestKey: 'guestKey',
  /** By what this person bought last. */
  lastPayment: 'lastPayment',
  /** By what this person topped a wallet up last. */
  lastTopUp: 'lastTopUp',
  /** Player ids used before, by game. */
  players: 'players',
  /** The signed-in person as last known; its presence means that a session is worth restoring. */
  user: 'userinfo',
  /** The secret half of a sign-in that is at LINE's page now. */
  lineAttempt: 'lineAttempt',
  /** LINE's id of the person whose session began inside LINE. */
  lineSubject: 'lineSubject',
  /** Was asked to add the shop in LINE, and closed that. */
  noFriend: 'noFriend',
  /** The lock of the PIN that its owner was told of, by the moment it began. */
  seenPinLock: 'seenPinLock',
} as const
export type StorageName = keyof typeof KEYS

/** Tells whether a value has the shape that this version of the shop keeps, since other versions may have written it. */
export type Guard<T> = (value: unknown) => value is T

export const isText: Guard<string> = value => typeof value === 'string'
export const isNumber: Guard<number> = value => typeof value === 'number'
export const isFlag: Guard<boolean> = value => typeof value === 'boolean'

export const orNull =
  <T>(fits: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || fits(value)

/** Also lets through a missing value. */
export const orNone =
  <T>(fits: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || fits(value)

export const listOf =
  <T>(fits: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(fits)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const recordOf =
  <T>(fits: Guard<T>): Guard<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isObject(value) && Object.values(value).every(fits)

/** Lets through an object of which every named field fits, whatever other fields it has. */
export const shapeOf =
  <T>(fields: { [K in keyof T]-?: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    isObject(value) && keysOf(fields).every(name => fields[name](value[name]))

/** Reads a value from a kept text; null when it does not fit. */
export function parseKept<T>(text: string | null, fits: Guard<T>): T | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return fits(value) ? value : null
  } catch {
    return null
  }
}

/** The kept value; null when there is none or the browser keeps nothing. One that does not fit is removed. */
export function read<T>(name: StorageName, fits: Guard<T>): T | null {
  try {
    const text = localStorage.getItem(KEYS[name])
    const value = parseKept(text, fits)
    if (text !== null && value === null) remove(name)
    return value
  } catch {
    return null
  }
}

/** Keeps a value, unless the browser has no storage or no room in it. */
export function write(name: StorageName, value: unknown): void {
  try {
    localStorage.setItem(KEYS[name], JSON.stringify(value))
  } catch {
    // In private mode or with a full disk the purchase still works until the page is left.
  }
}

export function remove(...names: StorageName[]): void {
  for (const name of names) localStorage.removeItem(KEYS[name])
}

/** Removes everything of ours except what is named. */
export function removeAll(except: StorageName[] = []): void {
  remove(...keysOf(KEYS).filter(name => !except.includes(name)))
}

/** What the shop keeps in one tab, until that closes. */
type TabName = 'wayBack' | 'linkOffer' | 'mailedTo' | 'registration' | 'socialRedirect'

/** The text kept in this tab; null when there is none, or the browser keeps nothing. */
export function readInTab(name: TabName): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text in this tab; a browser that keeps nothing does without. */
export function keepInTab(name: TabName, text: string): void {
  try {
    sessionStorage.setItem(name, text)
  } catch {
    // Whoever reads it later finds nothing, as in a new tab.
  }
}

export const forgetInTab = (name: TabName): void => sessionStorage.removeItem(name)
