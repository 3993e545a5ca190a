import type { SocialProvider } from '@shop/shared/account/account.ts'
import { firebaseCodeOf } from '@shop/web/sign-in-problem.ts'
import {
  type AuthCredential,
  type AuthProvider,
  browserPopupRedirectResolver as browser,
  FacebookAuthProvider,
  GoogleAuthProvider,
  getRedirectResult,
  linkWithCredential,
  linkWithPopup,
  linkWithRedirect,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  reauthenticateWithRedirect,
  signInWithCredential,
  signInWithPopup,
  signInWithRedirect,
} from 'firebase/auth'
import { auth, requireUser } from '../firebase.ts'
import { forgetInTab, keepInTab } from '../storage.ts'

const create: Record<SocialProvider, () => AuthProvider> = {
  'google.com': () => new GoogleAuthProvider(),
  'facebook.com': () => new FacebookAuthProvider(),
}

/** Codes of in-app browsers and of strict settings, which allow no popup. */
const NO_POPUP = [
  'auth/popup-blocked',
  'auth/operation-not-supported-in-this-environment',
  'auth/web-storage-unsupported',
]

interface Ways {
  popup: (provider: AuthProvider) => Promise<unknown>
  redirect: (provider: AuthProvider) => Promise<unknown>
  /** The Auth emulator has no pages of Google and Facebook; instead it accepts a made-up credential. */
  emulated: (credential: AuthCredential) => Promise<unknown>
}

async function ask(id: SocialProvider, ways: Ways): Promise<void> {
  if (import.meta.env.VITE_AUTH_EMULATOR_URL) {
    const { askForCredential } = await import('./emulated-social.ts')
    await ways.emulated(askForCredential(id))
    return
  }
  try {
    await ways.popup(create[id]())
  } catch (error) {
    if (!NO_POPUP.includes(firebaseCodeOf(error))) throw error
    keepInTab('socialRedirect', '1')
    await ways.redirect(create[id]())
  }
}

export const signInWithProvider = (id: SocialProvider): Promise<void> =>
  ask(id, {
    popup: provider => signInWithPopup(auth, provider, browser),
    redirect: provider => signInWithRedirect(auth, provider, browser),
    emulated: credential => signInWithCredential(auth, credential),
  })

/** Lets the signed-in person also sign in with this provider. */
export const linkProvider = (id: SocialProvider): Promise<void> =>
  ask(id, {
    popup: async provider => linkWithPopup(await requireUser(), provider, browser),
    redirect: async provider => linkWithRedirect(await requireUser(), provider, browser),
    emulated: async credential => linkWithCredential(await requireUser(), credential),
  })

/** Lets the signed-in person prove again who they are. */
export const proveWithProvider = (id: SocialProvider): Promise<void> =>
  ask(id, {
    popup: async provider => reauthenticateWithPopup(await requireUser(), provider, browser),
    redirect: async provider => reauthenticateWithRedirect(await requireUser(), provider, browser),
    emulated: async credential => reauthenticateWithCredential(await requireUser(), credential),
  })

/** Finishes what this page was left for by a redirect; rejects as the popup would have. */
export async function finishRedirect(): Promise<void> {
  forgetInTab('socialRedirect')
  const result = await getRedirectResult(auth, browser)
  if (!result) throw Object.assign(new Error('no answer'), { code: 'auth/user-cancelled' })
}
