import type { Me } from '@shop/shared/account/endpoints.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../session.tsx'
import { exchangeProof } from './exchange-proof.ts'
import { canSignInSilently, getLineTrouble, withIdToken } from './line-in-app.ts'
import { describeSignInProblem } from './problem.ts'

const TROUBLE = {
  denied: 'คุณยังไม่ได้อนุญาตให้ร้านใช้บัญชี LINE กดลองอีกครั้งแล้วเลือก "อนุญาต" หรือเข้าสู่ระบบด้วยวิธีอื่น',
  clock: 'วันที่หรือเวลาของเครื่องไม่ตรง กรุณาตั้งเวลาเป็นอัตโนมัติแล้วลองอีกครั้ง',
  failed: errorMessage('LINE_UNAVAILABLE'),
}

/**
 * Signs in whoever LINE knows, without a tap, also after a session that ended by itself.
 * `trouble` is what to tell the person when that did not work.
 */
export function useSilentSignIn(me: Me | null, signIn: Session['signIn']) {
  const wanted = me === null && canSignInSilently()
  const [isDone, setIsDone] = useState(false)
  const [trouble, setTrouble] = useState(() => {
    const why = getLineTrouble()
    return me === null && why ? TROUBLE[why] : null
  })
  const running = useRef(false)
  useEffect(() => {
    if (!wanted || isDone || running.current) return
    running.current = true
    withIdToken(proof => signIn(firebase => exchangeProof(proof, firebase)))
      .catch(error => setTrouble(describeSignInProblem(error)))
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
