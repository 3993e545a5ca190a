import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { rememberWayBack } from '../account/way-back.ts'
import { ButtonLink } from '../ui/button.tsx'

/** A link to the sign-in, which then leads back to this page. */
export function SignInLink({ children = 'เข้าสู่ระบบ' }: { children?: ReactNode }) {
  const { pathname, search } = useLocation()
  return (
    <ButtonLink kind="secondary" size="small" to="/login" onClick={() => rememberWayBack(pathname + search)}>
      {children}
    </ButtonLink>
  )
}
