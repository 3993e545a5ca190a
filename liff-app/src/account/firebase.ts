import { FirebaseError, initializeApp } from 'firebase/app'
import {
  browserLocalPersistence,
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signOut,
} from 'firebase/auth'

const { VITE_FIREBASE_API_KEY, VITE_FIREBASE_AUTH_DOMAIN, VITE_FIREBASE_PROJECT_ID, VITE_AUTH_EMULATOR_URL } =
  import.meta.env

const app = initializeApp({
  apiKey: VITE_FIREBASE_API_KEY ?? 'demo-key',
  authDomain: VITE_FIREBASE_AUTH_DOMAIN,
  projectId: VITE_FIREBASE_PROJECT_ID ?? 'demo-shop',
})

/** The one Auth instance; the emulator takes its place where VITE_AUTH_EMULATOR_URL names one. */
export const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
if (VITE_AUTH_EMULATOR_URL) connectAuthEmulator(auth, VITE_AUTH_EMULATOR_URL, { disableWarnings: true })

/** The current ID token, renewed when it is about to expire; null when nobody is signed in. */
export async function getToken(): Promise<string | null> {
  await auth.authStateReady()
  return (await auth.currentUser?.getIdToken()) ?? null
}

export async function signInWithPassword(email: string, password: string): Promise<void> {
  await signInWithEmailAndPassword(auth, email, password)
}

/** With a token our server made, e.g. for somebody LINE has vouched for. */
export async function signInWithToken(token: string): Promise<void> {
  await signInWithCustomToken(auth, token)
}

export const signOutOfFirebase = (): Promise<void> => signOut(auth)

const WRONG = ['auth/invalid-credential', 'auth/wrong-password', 'auth/user-not-found', 'auth/invalid-email']

/** Whether a sign-in failed because of what was typed. */
export const isWrongCredential = (error: unknown): boolean =>
  error instanceof FirebaseError && WRONG.includes(error.code)

/** Whether the account was switched off. */
export const isDisabled = (error: unknown): boolean =>
  error instanceof FirebaseError && error.code === 'auth/user-disabled'
