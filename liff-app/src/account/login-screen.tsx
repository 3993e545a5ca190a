import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom'
import { getCurrentOrder } from '../order/current-order.ts'
import { getAcceptedTerms, getDraft } from '../order/draft.ts'
import { useSession } from '../session.tsx'
import { Button } from '../ui/button.tsx'
import { Field, PasswordField } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { loadFirebase } from './identity.ts'

const isBuying = () => (getAcceptedTerms() !== null && getDraft() !== null) || getCurrentOrder() !== null

/** Where a person goes after signing in: on with the purchase, back to the page that asked for it, or the games. */
export function getNextPath(from: string | undefined): string {
  if (isBuying()) return '/payment'
  return from ?? '/game'
}

/** Sign-in with email and password. */
export default function LoginScreen() {
  const { me } = useSession()
  const navigate = useNavigate()
  const from = (useLocation().state as { from?: string } | null)?.from
  if (me) return <Navigate to={getNextPath(from)} replace />
  return (
    <div className="mx-auto max-w-104 pt-2 pb-6">
      <h1 className="page-title">{isBuying() ? 'เข้าสู่ระบบเพื่อชำระเงินต่อ' : 'เข้าสู่ระบบ'}</h1>
      <EmailForm onDone={() => navigate(getNextPath(from), { replace: true })} />
      <p className="mt-4 text-center text-ink-2 text-small">
        ยังไม่มีบัญชี{' '}
        <Link to="/registration" className="link">
          สมัครสมาชิก
        </Link>
      </p>
    </div>
  )
}

/** Firebase's words for a failed sign-in in ours. */
async function explain(error: unknown): Promise<string> {
  if (error instanceof AppError) return messageOf(error)
  const firebase = await loadFirebase().catch(() => null)
  if (firebase?.isWrongCredential(error)) return 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'
  if (firebase?.isDisabled(error)) return new AppError('ACCOUNT_INACTIVE').message
  return new AppError('SIGN_IN_FAILED').message
}

type Credentials = { email: string; password: string }

function EmailForm({ onDone }: { onDone: () => void }) {
  const { signIn } = useSession()
  const login = useMutation<unknown, Error, Credentials>({
    mutationFn: ({ email, password }) =>
      signIn(firebase => firebase.signInWithPassword(email, password)).catch(async error => {
        throw new Error(await explain(error), { cause: error })
      }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (login.isPending) return
    const form = new FormData(event.currentTarget)
    login.mutate({ email: String(form.get('email')).trim(), password: String(form.get('password')) })
  }
  return (
    <form onSubmit={submit} className="mt-4 grid gap-1">
      {login.isError && (
        <div className="mb-2">
          <Note kind="bad" role="alert">
            {login.error.message}
          </Note>
        </div>
      )}
      <Field
        label="อีเมล"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <PasswordField label="รหัสผ่าน" name="password" autoComplete="current-password" required />
      <Button type="submit" block busy={login.isPending} busyLabel="กำลังเข้าสู่ระบบ">
        เข้าสู่ระบบ
      </Button>
    </form>
  )
}
