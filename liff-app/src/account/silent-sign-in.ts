import type { Me } from '@shop/shared/account/endpoints.ts'
import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { useEffect, useRef, useState } from 'react'
import type { session } from '../api.ts'
import type { LiffOutcome } from '../liff.ts'
import { exchangeProof } from './exchange-proof.ts'
import { canSignInSilently, getLineTrouble, staySignedOut, withIdToken } from './line-in-app.ts'

/** Why nobody is signed in inside LINE: LINE's own reason, or the error of the sign-in. */
export type Trouble = { why: Exclude<LiffOutcome, 'ready'> } | { error: unknown }

const FINAL: ErrorCode[] = ['LINE_NOT_ALLOWED', 'EMAIL_IN_USE', 'ACCOUNT_INACTIVE']

/** Whether another try can't help, so that the person has to sign in another way or stay a guest. */
export const isFinal = (trouble: Trouble): boolean =>
  'error' in trouble && trouble.error instanceof AppError && FINAL.includes(trouble.error.code)

/**
 * Signs in a person whom LINE knows without a tap, also after their session has ended by itself. When that fails,
 * `trouble` is what to tell them.
 */
export function useSilentSignIn(me: Me | null, signIn: (typeof session)['signIn']) {
  const wanted = me === null && canSignInSilently()
  const [isDone, setIsDone] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(() => {
    const why = getLineTrouble()
    return me === null && why ? { why } : null
  })
  const running = useRef(false)
  useEffect(() => {
    if (!wanted || isDone || running.current) return
    running.current = true
    withIdToken(proof => signIn(firebase => exchangeProof(proof, firebase)))
      .catch(error => {
        if (isFinal({ error })) staySignedOut()
        setTrouble({ error })
      })
      .finally(() => {
        running.current = false
        setIsDone(true)
      })
  }, [wanted, isDone, signIn])
  useEffect(() => {
    if (me) setIsDone(false)
  }, [me])
  return { isSigningIn: wanted && !isDone, trouble, dismiss: () => setTrouble(null) }
}
