import {
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  updateProfile,
} from 'firebase/auth'
import { auth } from './firebase.ts'
import { firebaseCodeOf } from './problem.ts'

/** Makes an account with a password and signs in to it. */
export async function createAccount(account: { email: string; password: string; displayName: string }): Promise<void> {
  const { user } = await createUserWithEmailAndPassword(auth, account.email, account.password)
  await updateProfile(user, { displayName: account.displayName })
}

/** Mails the signed-in person a link that proves their address. */
export async function sendVerification(): Promise<void> {
  await auth.authStateReady()
  auth.languageCode = 'th'
  if (auth.currentUser) await sendEmailVerification(auth.currentUser)
}

/** Whether the address was proven meanwhile; the next token then says so. */
export async function isEmailProven(): Promise<boolean> {
  await auth.authStateReady()
  await auth.currentUser?.reload()
  if (!auth.currentUser?.emailVerified) return false
  await auth.currentUser.getIdToken(true)
  return true
}

/** Mails a link to set a new password. An address without an account is not told apart. */
export async function sendPasswordReset(email: string): Promise<void> {
  auth.languageCode = 'th'
  await sendPasswordResetEmail(auth, email).catch(error => {
    if (firebaseCodeOf(error) !== 'auth/user-not-found') throw error
  })
}

/** The signed-in person proves again who they are. */
export async function proveWithPassword(password: string): Promise<void> {
  await auth.authStateReady()
  const user = auth.currentUser
  if (!user?.email) throw Object.assign(new Error('nobody is signed in'), { code: 'auth/user-token-expired' })
  await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email, password))
  await user.getIdToken(true)
}

/** How long ago the signed-in person proved who they are, in seconds; Infinity when nobody is signed in. */
export async function getSecondsSinceProof(): Promise<number> {
  await auth.authStateReady()
  const token = await auth.currentUser?.getIdTokenResult()
  return token ? (Date.now() - Date.parse(token.authTime)) / 1000 : Number.POSITIVE_INFINITY
}
