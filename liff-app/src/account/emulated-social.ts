import { SIGN_IN_PROVIDER, type SocialProvider } from '@shop/shared/account/account.ts'
import { type AuthCredential, FacebookAuthProvider, GoogleAuthProvider } from 'firebase/auth'

interface Emulated {
  /** Who vouches for no address can't take over an account that has the same one. */
  provesEmail: boolean
  credentialOf: (claims: string) => AuthCredential
}

const emulated: Record<SocialProvider, Emulated> = {
  'google.com': { provesEmail: true, credentialOf: claims => GoogleAuthProvider.credential(claims) },
  'facebook.com': { provesEmail: false, credentialOf: claims => FacebookAuthProvider.credential(claims) },
}

/** Takes the place of the provider's own page during development; Cancel is a closed popup. */
export function askForCredential(id: SocialProvider): AuthCredential {
  const { name } = SIGN_IN_PROVIDER[id]
  const { provesEmail, credentialOf } = emulated[id]
  const email = window.prompt(`อีเมลของบัญชี ${name} จำลอง`, `${name.toLowerCase()}@demo.shop`)
  if (!email) throw Object.assign(new Error('cancelled'), { code: 'auth/popup-closed-by-user' })
  const claims = JSON.stringify({
    sub: `${id}:${email}`,
    email,
    email_verified: provesEmail,
    name: email.split('@')[0],
  })
  return credentialOf(claims)
}
