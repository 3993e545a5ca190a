import { errorMessage } from '@shop/shared/errors.ts'
import { FirebaseError, initializeApp } from 'firebase/app'
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  EmailAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  reauthenticateWithCredential,
  sendEmailVerification,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
} from 'firebase/auth'
import { type Identity, SignInError, WRONG_LOGIN } from './identity.ts'

const env = import.meta.env
const emulatorUrl: string | undefined = env.VITE_AUTH_EMULATOR_URL

const messages: Record<string, string> = {
  'auth/invalid-credential': WRONG_LOGIN,
  'auth/invalid-email': WRONG_LOGIN,
  'auth/user-not-found': WRONG_LOGIN,
  'auth/wrong-password': WRONG_LOGIN,
  'auth/missing-password': WRONG_LOGIN,
  'auth/user-disabled': errorMessage('ACCOUNT_INACTIVE'),
  'auth/too-many-requests': 'เข้าสู่ระบบผิดหลายครั้ง กรุณารอสักครู่แล้วลองอีกครั้ง',
  'auth/network-request-failed': 'ไม่สามารถเชื่อมต่อระบบได้ กรุณาลองอีกครั้ง',
  'auth/popup-blocked': 'เบราว์เซอร์ปิดกั้นหน้าต่าง Google กรุณาอนุญาตแล้วลองอีกครั้ง',
  'auth/account-exists-with-different-credential': errorMessage('EMAIL_IN_USE'),
  'auth/weak-password': errorMessage('WEAK_PASSWORD'),
}
const GIVEN_UP = ['auth/popup-closed-by-user', 'auth/cancelled-popup-request', 'auth/user-cancelled']

async function tell<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const code = cause instanceof FirebaseError ? cause.code : ''
    if (GIVEN_UP.includes(code)) throw new SignInError('', { cause })
    throw new SignInError(messages[code] ?? errorMessage('SIGN_IN_FAILED'), { cause })
  }
}

function openAuth(): Auth {
  const projectId = env.VITE_FIREBASE_PROJECT_ID ?? 'demo-shop'
  const app = initializeApp({
    projectId,
    apiKey: env.VITE_FIREBASE_API_KEY ?? 'demo',
    authDomain: env.VITE_FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
  })
  const auth = initializeAuth(app, { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
  auth.languageCode = 'th'
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true })
  return auth
}

/** Google's popup; the Auth emulator has none and takes a made-up credential for the typed email instead. */
function enterWithGoogle(auth: Auth, emailHint: string) {
  if (emulatorUrl) {
    const email = emailHint || 'google@demo.shop'
    const claims = { sub: `google-${email}`, email, email_verified: true, name: email.split('@')[0] }
    return signInWithCredential(auth, GoogleAuthProvider.credential(JSON.stringify(claims)))
  }
  const provider = new GoogleAuthProvider()
  provider.setCustomParameters({ prompt: 'select_account', ...(emailHint && { login_hint: emailHint }) })
  return signInWithPopup(auth, provider, browserPopupRedirectResolver)
}

async function proveAgain(auth: Auth, password: string): Promise<void> {
  const user = auth.currentUser
  if (!user?.email) throw new SignInError(errorMessage('SIGN_IN_FAILED'))
  const proof = EmailAuthProvider.credential(user.email, password)
  await tell(reauthenticateWithCredential(user, proof)).catch(error => {
    throw error.message === WRONG_LOGIN ? new SignInError('รหัสผ่านปัจจุบันไม่ถูกต้อง') : error
  })
}

/** Firebase Authentication; the session is kept by the browser and survives a reload. */
export function createFirebaseIdentity(): Identity {
  const auth = openAuth()
  return {
    onUser: listener => {
      onAuthStateChanged(auth, user => listener(user?.uid ?? null))
    },
    getToken: async () => (await auth.currentUser?.getIdToken()) ?? null,
    signInWithPassword: async (email, password) => {
      await tell(signInWithEmailAndPassword(auth, email, password))
    },
    signInWithGoogle: async emailHint => {
      await tell(enterWithGoogle(auth, emailHint))
    },
    signOut: () => signOut(auth),
    proveAgain: password => proveAgain(auth, password),
    sendVerificationEmail: async () => {
      if (auth.currentUser) await tell(sendEmailVerification(auth.currentUser))
    },
  }
}
