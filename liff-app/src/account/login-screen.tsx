import { linkLine, type Me } from '@shop/shared/account/endpoints.ts'
import { mayUseLine } from '@shop/shared/permissions.ts'
import { isGivenUp, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate } from 'react-router-dom'
import { api } from '../api.ts'
import { BrandMark } from '../brand.tsx'
import { useShopOptions } from '../settings/shop-options.ts'
import { Button } from '../ui/button.tsx'
import { EmailForm } from './email-form.tsx'
import { exchangeProof } from './exchange-proof.ts'
import { isBackFromLine, takeLineReturn } from './line-on-web.ts'
import { forgetLinkOffer, getLinkOffer, linksPathOf, orOfferLine } from './link-offer.ts'
import { useSession } from './session.tsx'
import { SignInButtons, WayButton } from './sign-in-buttons.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'
import { useSignIn } from './use-sign-in.ts'
import { forgetWayBack, getPathAfterSignIn, isBuying } from './way-back.ts'
import { Working } from './working.tsx'

/** Finishes the sign-in or the linking for which LINE's page was opened. */
function useLineReturn(tell: (error: unknown) => void) {
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
      else await signIn(firebase => exchangeProof(proof, firebase)).catch(orOfferLine)
    }
    setWayBack(back.wayBack)
    void finish()
      .catch(tell)
      .finally(() => setReturning(false))
  }, [signIn, renew, tell])
  return { isReturning, wayBack }
}

/** The page with every way to sign in. */
export default function LoginScreen() {
  const { me } = useSession()
  const signIn = useSignIn()
  const { isReturning, wayBack } = useLineReturn(signIn.tell)
  const [isEmailFormWanted, setEmailForm] = useState<boolean | null>(null)
  const [isEmailBusy, setEmailBusy] = useState(false)
  if (isReturning || signIn.isWorking) return <Working />
  if (me) return <Leave me={me} wayBack={wayBack} error={signIn.error} />
  // A person whose way has to be linked first must sign in the way they used before, whichever that was.
  const hasEveryWay = isEmailFormWanted === null && getLinkOffer() !== null
  const hasEmailForm = isEmailFormWanted ?? hasEveryWay
  const hasGivenUp = isGivenUp(signIn.error)
  return (
    <>
      {isEmailBusy && <Working />}
      <div className="mx-auto max-w-104 pt-4 pb-6">
        <div className="text-center">
          <BrandMark className="mx-auto size-14" />
          <h1 className="page-title mt-5">{isBuying() ? 'เข้าสู่ระบบเพื่อทำรายการต่อ' : 'เข้าสู่ระบบ'}</h1>
          {/* A closed window is told in a line that is there anyway, so that no button moves under the finger. */}
          <p role="status" className="text-ink-2">
            {hasGivenUp ? 'ยังไม่ได้เข้าสู่ระบบ เลือกวิธีได้อีกครั้ง' : 'เพื่อดูคำสั่งซื้อและรับแจ้งเตือน'}
          </p>
        </div>
        {signIn.error !== null && !hasGivenUp && <SignInProblemNote error={signIn.error} className="mt-5" />}
        <div className="mt-6">
          {hasEmailForm ? (
            <>
              <EmailForm onBusy={setEmailBusy} />
              {hasEveryWay ? (
                <div className="mt-6 grid gap-3" inert={isEmailBusy}>
                  <SignInButtons verb="เข้าสู่ระบบด้วย" signIn={signIn} />
                </div>
              ) : (
                <Button kind="quiet" size="small" block inert={isEmailBusy} onClick={() => setEmailForm(false)}>
                  เข้าสู่ระบบด้วยวิธีอื่น
                </Button>
              )}
            </>
          ) : (
            <div className="grid gap-3">
              <SignInButtons verb="เข้าสู่ระบบด้วย" signIn={signIn} />
              <WayButton mark={<Mail size={22} />} onClick={() => setEmailForm(true)}>
                เข้าสู่ระบบด้วยอีเมล
              </WayButton>
            </div>
          )}
        </div>
        <p className="mt-4 text-center text-ink-2">
          ยังไม่มีบัญชี{' '}
          <Link to="/registration" className="link inline-flex min-h-11 items-center">
            สมัครสมาชิก
          </Link>
        </p>
        {!hasEmailForm && <WithoutAccount />}
      </div>
    </>
  )
}

/** Says that nobody needs an account to buy, where the shop sells to guests and the sign-in is not for a purchase. */
function WithoutAccount() {
  const { options } = useShopOptions()
  if (options.ALLOW_GUEST_CHECKOUT !== 'true' || isBuying()) return null
  return (
    <p className="text-center text-ink-2">
      ซื้อได้โดยไม่ต้องเข้าสู่ระบบ{' '}
      <Link to="/game" className="link inline-flex min-h-11 items-center">
        ซื้อเลย
      </Link>
    </p>
  )
}

/**
 * Leads the signed-in person on to where they were heading, or first to the offer to link the way that was refused
 * before. The next page also tells of a failed link to LINE.
 */
function Leave({ me, wayBack, error }: { me: Me; wayBack?: string; error: unknown }) {
  const [offered] = useState(() => {
    const kept = getLinkOffer()
    const isPossible = kept !== 'line' || mayUseLine(me.role)
    return wayBack === undefined && kept && isPossible && !me.providers.includes(kept) ? kept : null
  })
  const [path] = useState(() => (offered ? linksPathOf(me.uid, offered) : (wayBack ?? getPathAfterSignIn())))
  const problem = wayBack && error !== null ? signInProblemOf(error) : null
  useEffect(() => {
    forgetLinkOffer()
    if (!offered) forgetWayBack()
  }, [offered])
  return <Navigate to={path} replace state={{ problem }} />
}
