import { auth } from '@shop/web/firebase.ts'
import { signInWithCustomToken } from 'firebase/auth'

// The identity provider of this site: what both sites share, and the sign-in with a token of our own server.
export * from '@shop/web/firebase.ts'

/** Signs in with a token that our server has made for a person whom LINE vouched for. */
export async function signInWithToken(token: string): Promise<void> {
  await signInWithCustomToken(auth, token)
}
