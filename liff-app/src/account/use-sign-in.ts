import type { SocialProvider } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { useEffect, useRef, useState } from 'react'
import { exchangeProof } from './exchange-proof.ts'
import { isLineHere, withIdToken } from './line-in-app.ts'
import { goToLine } from './line-on-web.ts'
import { offerLink, orOfferLine } from './link-offer.ts'
import { useSession } from './session.tsx'
import { isBackFromRedirect } from './social-provider.ts'

const loadSocial = () => import('./social.ts')

/**
 * The sign-ins with LINE, Google and Facebook. `error` is what the last one failed with, or null. `isWorking` is true
 * while their page is open or its answer is being checked.
 */
export function useSignIn() {
  const { signIn } = useSession()
  const [error, setError] = useState<unknown>(null)
  const [isWorking, setWorking] = useState(isBackFromRedirect)
  const attempt = async (work: () => Promise<unknown>) => {
    setError(null)
    setWorking(true)
    await work().catch(setError)
    setWorking(false)
  }
  // The popup has to open within the tap: a browser blocks one that waits for code first.
  useEffect(() => void loadSocial().catch(() => undefined), [])
  const returned = useRef(false)
  useEffect(() => {
    if (returned.current || !isBackFromRedirect()) return
    returned.current = true
    void attempt(() => signIn(async () => (await loadSocial()).finishRedirect()))
  })
  useEffect(() => {
    // Back from LINE's page without a sign-in, the browser shows this page as it was left, still busy.
    const onShow = (event: PageTransitionEvent) => event.persisted && setWorking(false)
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
  return {
    error,
    isWorking,
    tell: setError,
    signInWithSocial: (id: SocialProvider) =>
      attempt(() =>
        signIn(async () => (await loadSocial()).signInWithProvider(id)).catch(refusal => {
          if (refusal instanceof AppError && refusal.code === 'SIGN_IN_THEN_LINK') offerLink(id)
          throw refusal
        }),
      ),
    signInWithLine: () =>
      attempt(() =>
        isLineHere()
          ? withIdToken(proof => signIn(firebase => exchangeProof(proof, firebase))).catch(orOfferLine)
          : goToLine('signIn'),
      ),
  }
}
export type SignIn = ReturnType<typeof useSignIn>
