import { auth } from '@shop/web/firebase.ts'
import { browserPopupRedirectResolver, GoogleAuthProvider, signInWithCredential, signInWithPopup } from 'firebase/auth'

// The identity provider of this site: what both sites have, and Google.
export * from '@shop/web/firebase.ts'

/** Google's popup; the Auth emulator has none and takes a made-up credential for the typed email instead. */
export async function signInWithGoogle(emailHint: string): Promise<void> {
  if (import.meta.env.VITE_AUTH_EMULATOR_URL) {
    const email = emailHint || 'google@demo.shop'
    const claims = { sub: `google-${email}`, email, email_verified: true, name: email.split('@')[0] }
    await signInWithCredential(auth, GoogleAuthProvider.credential(JSON.stringify(claims)))
    return
  }
  const provider = new GoogleAuthProvider()
  provider.setCustomParameters({ prompt: 'select_account', ...(emailHint && { login_hint: emailHint }) })
  await signInWithPopup(auth, provider, browserPopupRedirectResolver)
}
