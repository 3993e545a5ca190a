import { createUserWithEmailAndPassword } from 'firebase/auth'
import { auth, requireUser } from '../firebase.ts'

/** Creates an account with a password and signs in to it. */
export async function createAccount({ email, password }: { email: string; password: string }): Promise<void> {
  await createUserWithEmailAndPassword(auth, email, password)
}

/** Whether the address was proven meanwhile. If so, the token is renewed, so that the server knows it too. */
export async function isEmailProven(): Promise<boolean> {
  const user = await requireUser()
  await user.reload()
  if (!user.emailVerified) return false
  await user.getIdToken(true)
  return true
}

/** How long ago the signed-in person proved who they are, in seconds. */
export async function getSecondsSinceProof(): Promise<number> {
  const user = await requireUser()
  const { authTime } = await user.getIdTokenResult()
  return (Date.now() - Date.parse(authTime)) / 1000
}
