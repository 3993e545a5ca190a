import { read } from '../storage.ts'

let loading: Promise<typeof import('./firebase.ts')> | undefined

/** Firebase, fetched when a session is remembered or someone signs in: a first visit never loads it. */
export function loadFirebase(): Promise<typeof import('./firebase.ts')> {
  loading ??= import('./firebase.ts').catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

export const isRemembered = (): boolean => read('user') !== null

let signingIn = false

/** While someone signs in there is a token but nothing is remembered yet. */
export function expectToken(expected: boolean): void {
  signingIn = expected
}

/** The signed-in person's token, or null for guests. */
export async function getIdToken(): Promise<string | null> {
  if (!signingIn && !isRemembered()) return null
  return (await loadFirebase()).getToken()
}
