import { type AuthCredential, FacebookAuthProvider, GoogleAuthProvider } from 'firebase/auth'
import { SOCIAL_NAMES, type SocialProvider } from './social-provider.ts'

/** Takes the place of the provider's own page during development; Cancel is a closed popup. */
export function askForCredential(id: SocialProvider): AuthCredential {
  const name = SOCIAL_NAMES[id]
  const email = window.prompt(`อีเมลของบัญชี ${name} จำลอง`, `${name.toLowerCase()}@demo.shop`)
  if (!email) throw Object.assign(new Error('cancelled'), { code: 'auth/popup-closed-by-user' })
  // Facebook vouches for no address, so it can't take over an account that has the same one.
  const email_verified = id === 'google.com'
  const claims = JSON.stringify({ sub: `${id}:${email}`, email, email_verified, name: email.split('@')[0] })
  return id === 'google.com' ? GoogleAuthProvider.credential(claims) : FacebookAuthProvider.credential(claims)
}
