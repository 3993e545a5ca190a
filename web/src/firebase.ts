// Firebase Authentication, whose session the browser keeps over a reload. A first visit must not load this.
import { initializeApp } from 'firebase/app'
import {
  browserLocalPersistence,
  connectAuthEmulator,
  EmailAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut as signOutOf,
  type User,
} from 'firebase/auth'
import { firebaseCodeOf, tokenRefusalOf } from './sign-in-problem.ts'

const { VITE_FIREBASE_API_KEY, VITE_FIREBASE_AUTH_DOMAIN, VITE_FIREBASE_PROJECT_ID, VITE_AUTH_EMULATOR_URL } =
  import.meta.env

const app = initializeApp({
  apiKey: VITE_FIREBASE_API_KEY,
  authDomain: VITE_FIREBASE_AUTH_DOMAIN ?? `${VITE_FIREBASE_PROJECT_ID}.firebaseapp.com`,
  projectId: VITE_FIREBASE_PROJECT_ID,
})

/** The one Auth instance; the emulator takes its place where VITE_AUTH_EMULATOR_URL names one. */
export const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
auth.languageCode = 'th'
if (VITE_AUTH_EMULATOR_URL) connectAuthEmulator(auth, VITE_AUTH_EMULATOR_URL, { disableWarnings: true })

export function onUser(listener: (uid: string | null) => void): void {
  onAuthStateChanged(auth, user => listener(user?.uid ?? null))
}

/** The signed-in user; rejects with Firebase's own kind of error when there is none. */
export async function requireUser(): Promise<User> {
  await auth.authStateReady()
  if (!auth.currentUser) throw Object.assign(new Error('nobody is signed in'), { code: 'auth/user-token-expired' })
  return auth.currentUser
}

/**
 * The current ID token, renewed when it is about to expire; null when nobody is signed in.
 * @throws ACCOUNT_INACTIVE, SESSION_REVOKED, UNAVAILABLE
 */
export async function getToken(): Promise<string | null> {
  await auth.authStateReady()
  const token = auth.currentUser?.getIdToken().catch((error: unknown) => {
    throw tokenRefusalOf(error)
  })
  return (await token) ?? null
}

export async function signInWithPassword(email: string, password: string): Promise<void> {
  await signInWithEmailAndPassword(auth, email, password)
}

/** Proves again who the signed-in person is; the token then says so for a while. */
export async function proveWithPassword(password: string): Promise<void> {
  const user = await requireUser()
  await reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password))
  await user.getIdToken(true)
}

/** Mails the signed-in person a link that proves their address. */
export async function sendVerificationEmail(): Promise<void> {
  await sendEmailVerification(await requireUser())
}

/** Mails a link to set a new password. It does not reveal whether the address has an account. */
export async function sendPasswordReset(email: string): Promise<void> {
  await sendPasswordResetEmail(auth, email).catch(error => {
    if (firebaseCodeOf(error) !== 'auth/user-not-found') throw error
  })
}

export const signOut = (): Promise<void> => signOutOf(auth)
