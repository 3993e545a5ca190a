import { SIGN_IN_PROVIDER, type SocialProvider } from '@shop/shared/account/account.ts'
import { type AuthCredential, FacebookAuthProvider, GoogleAuthProvider } from 'firebase/auth'

const credentialOf: Record<SocialProvider, (claims: string) => AuthCredential> = {
  'google.com': claims => GoogleAuthProvider.credential(claims),
  'facebook.com': claims => FacebookAuthProvider.credential(claims),
}

/** Replaces the provider's own page during development. Cancel counts as a closed popup. */
export function askForCredential(id: SocialProvider): AuthCredential {
  const { name, provesEmail } = SIGN_IN_PROVIDER[id]
  const email = window.prompt(`อีเมลของบัญชี ${name} จำลอง`, `${name.toLowerCase()}@demo.shop`)
  if (!email) throw Object.assign(new Error('cancelled'), { code: 'auth/popup-closed-by-user' })
  const claims = JSON.stringify({
    sub: `${id}:${email}`,
    email,
    email_verified: provesEmail,
    name: email.split('@')[0],
  })
  return credentialOf[id](claims)
}
