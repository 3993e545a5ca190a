import { SIGN_IN_PROVIDER, SOCIAL_PROVIDERS, type SocialProvider } from '@shop/shared/account/account.ts'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { inApp } from '../in-app.ts'
import { Button } from '../ui/button.tsx'
import { ProviderMark } from '../ui/provider-mark.tsx'
import { OpenInBrowser } from './open-in-browser.tsx'
import type { SignIn } from './use-sign-in.ts'

/** Google and Facebook refuse to show their pages in the browsers of apps. */
const offered: SocialProvider[] = inApp ? [] : SOCIAL_PROVIDERS

/** The buttons of LINE, Google and Facebook. `verb` starts each label, for example "เข้าสู่ระบบด้วย". */
export function SignInButtons({ verb, signIn }: { verb: string; signIn: SignIn }) {
  const { pathname } = useLocation()
  return (
    <div className="grid gap-3">
      <button
        type="button"
        onClick={signIn.signInWithLine}
        className="flex min-h-13 items-stretch rounded-control bg-line-green text-button text-ink hover:brightness-95 active:brightness-90"
      >
        <span
          className="my-2.5 flex w-13 items-center justify-center border-ink/10 border-r pr-1 text-white"
          aria-hidden="true"
        >
          <ProviderMark provider="line" />
        </span>
        <span className="flex min-w-0 flex-1 items-center justify-center py-2 pr-13 @max-[15rem]:pr-3">
          <span className="trim-label">{verb} LINE</span>
        </span>
      </button>
      {offered.map(id => (
        <WayButton key={id} mark={<ProviderMark provider={id} />} onClick={() => signIn.signInWithSocial(id)}>
          {`${verb} ${SIGN_IN_PROVIDER[id].name}`}
        </WayButton>
      ))}
      {inApp && (
        <OpenInBrowser
          path={pathname}
        >{`Google และ Facebook ใช้ใน${inApp} ไม่ได้ ถ้าเคยใช้ กรุณาเปิดร้านในเบราว์เซอร์`}</OpenInBrowser>
      )}
    </div>
  )
}

interface WayButtonProps {
  mark: ReactNode
  onClick: () => void
  children: ReactNode
}

/** The button of one way to sign in: its mark at the start, its label in the middle. */
export const WayButton = ({ mark, onClick, children }: WayButtonProps) => (
  <Button
    kind="secondary"
    block
    className="px-13! @max-[15rem]:pr-3!"
    icon={<span className="absolute left-0 flex w-13 justify-center pr-1">{mark}</span>}
    onClick={onClick}
  >
    {children}
  </Button>
)
