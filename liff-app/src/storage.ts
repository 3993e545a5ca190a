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
  /** The one request that places the order, until it is answered. */
  placing: 'placing',
  /** Random name of this browser, by which a guest's orders are found again. */
  guestKey: 'guestKey',
  /** Player ids used before, by game. */
  players: 'players',
  /** The signed-in person as last known; its presence means that a session is worth restoring. */
  user: 'userinfo',
  /** The secret half of a sign-in that is at LINE's page now. */
  lineAttempt: 'lineAttempt',
  /** LINE's id of the person whose session began inside LINE. */
  lineSubject: 'lineSubject',
} as const
export type StorageName = keyof typeof KEYS

/** The kept value, or null when there is none, it can't be read, or the browser keeps nothing (private mode). */
export function read<T>(name: StorageName): T | null {
  try {
    return JSON.parse(localStorage.getItem(KEYS[name]) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Keeps a value; a browser without room or storage only forgets. */
export function write(name: StorageName, value: unknown): void {
  try {
    localStorage.setItem(KEYS[name], JSON.stringify(value))
  } catch {
    // Private mode or a full disk: the purchase still works within this page.
  }
}

export function remove(...names: StorageName[]): void {
  for (const name of names) localStorage.removeItem(KEYS[name])
}

/** Everything of ours, but for what is named. */
export function removeAll(except: StorageName[] = []): void {
  remove(...(Object.keys(KEYS) as StorageName[]).filter(name => !except.includes(name)))
}
