import { firebaseCodeOf } from '@shop/web/sign-in-problem.ts'
import { createUserWithEmailAndPassword, sendPasswordResetEmail, updateProfile } from 'firebase/auth'
import { auth, requireUser } from '../firebase.ts'

/** Creates an account with a password and signs in to it. */
export async function createAccount(account: { email: string; password: string; displayName: string }): Promise<void> {
  const { user } = await createUserWithEmailAndPassword(auth, account.email, account.password)
  await updateProfile(user, { displayName: account.displayName })
}

/** Whether the address was proven meanwhile. If so, the token is renewed, so that the server knows it too. */
export async function isEmailProven(): Promise<boolean> {
  const user = await requireUser()
  await user.reload()
  if (!user.emailVerified) return false
  await user.getIdToken(true)
  return true
}

/** Mails a link to set a new password. It does not reveal whether the address has an account. */
export async function sendPasswordReset(email: string): Promise<void> {
  await sendPasswordResetEmail(auth, email).catch(error => {
    if (firebaseCodeOf(error) !== 'auth/user-not-found') throw error
  })
}

/** How long ago the signed-in person proved who they are, in seconds. */
export async function getSecondsSinceProof(): Promise<number> {
  const user = await requireUser()
  const { authTime } = await user.getIdTokenResult()
  return (Date.now() - Date.parse(authTime)) / 1000
}
