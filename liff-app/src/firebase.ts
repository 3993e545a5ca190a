import { auth } from '@shop/web/firebase.ts'
import { signInWithCustomToken } from 'firebase/auth'

// The identity provider of this site: what both sites have, and people LINE has vouched for.
export * from '@shop/web/firebase.ts'

/** With a token our server made. */
export async function signInWithToken(token: string): Promise<void> {
  await signInWithCustomToken(auth, token)
}
