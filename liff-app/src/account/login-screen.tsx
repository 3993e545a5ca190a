import { linkLine } from '@shop/shared/account/endpoints.ts'
import { signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate } from 'react-router-dom'
import { api } from '../api.ts'
import { BrandMark } from '../brand.tsx'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { EmailForm } from './email-form.tsx'
import { exchangeProof } from './exchange-proof.ts'
import { isBackFromLine, takeLineReturn } from './line-on-web.ts'
import { useSession } from './session.tsx'
import { SignInButtons } from './sign-in-buttons.tsx'
import { useSignIn } from './use-sign-in.ts'
import { forgetWayBack, getPathAfterSignIn, isBuying } from './way-back.ts'
import { Working } from './working.tsx'

const DENIED = 'คุณยังไม่ได้อนุญาตให้ร้านใช้บัญชี LINE กรุณาลองอีกครั้ง หรือเลือกวิธีอื่น'

/** Finishes what LINE's page was opened for. */
function useLineReturn(tell: (problem: string | null) => void) {
  const { signIn, renew } = useSession()
  const [isReturning, setReturning] = useState(isBackFromLine)
  const [wayBack, setWayBack] = useState<string>()
  const started = useRef(false)
  useEffect(() => {
    const back = !started.current && takeLineReturn()
    if (!back) return
    started.current = true
    const finish = async () => {
      if ('error' in back) throw back.error
      const { proof } = back
      if (back.purpose === 'link') renew(await api.call(linkLine, { body: proof }))
      else await signIn(firebase => exchangeProof(proof, firebase))
    }
    setWayBack(back.wayBack)
    void finish()
      .catch(error => tell(error === 'denied' ? DENIED : signInProblemOf(error)))
      .finally(() => setReturning(false))
  }, [signIn, renew, tell])
  return { isReturning, wayBack }
}

/** Every way to sign in. */
export default function LoginScreen() {
  const { me } = useSession()
  const signIn = useSignIn()
  const { isReturning, wayBack } = useLineReturn(signIn.tell)
  const [hasEmailForm, setEmailForm] = useState(false)
  if (isReturning || signIn.isWorking) return <Working />
  if (me) return <Leave wayBack={wayBack} problem={signIn.problem} />
  return (
    <div className="mx-auto max-w-104 pt-4 pb-6">
      <div className="text-center">
        <BrandMark className="mx-auto size-14" />
        <h1 className="page-title mt-5">{isBuying() ? 'เข้าสู่ระบบเพื่อชำระเงินต่อ' : 'เข้าสู่ระบบ'}</h1>
        <p className="text-ink-2">เพื่อดูคำสั่งซื้อและรับแจ้งเตือน</p>
      </div>
      {signIn.problem && (
        <div className="mt-5">
          <Note kind="bad" role="alert">
            <b className="block">เข้าสู่ระบบไม่สำเร็จ</b>
            {signIn.problem}
          </Note>
        </div>
      )}
      <div className="mt-6">
        <SignInButtons verb="เข้าสู่ระบบด้วย" signIn={signIn} />
      </div>
      <Button
        kind="quiet"
        block
        className="mt-6"
        aria-expanded={hasEmailForm}
        aria-controls="email-form"
        onClick={() => setEmailForm(!hasEmailForm)}
      >
        เป็นสมาชิกอยู่แล้ว?
      </Button>
      <div id="email-form" hidden={!hasEmailForm} className="mt-2">
        <EmailForm />
      </div>
      <p className="mt-2 text-center text-ink-2">
        ยังไม่มีบัญชี{' '}
        <Link to="/registration" className="link inline-flex min-h-11 items-center">
          สมัครสมาชิก
        </Link>
      </p>
    </div>
  )
}

/** Goes on to where the person was heading. A link to LINE that failed is told there. */
function Leave({ wayBack, problem }: { wayBack?: string; problem: string | null }) {
  const [path] = useState(() => wayBack ?? getPathAfterSignIn())
  useEffect(forgetWayBack, [])
  return <Navigate to={path} replace state={{ problem }} />
}
