import { AppError } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { forgetRegistration, getKeptRegistration, isEmail, REGISTRATION_LABELS } from './registration.ts'
import { useSession } from './session.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '')

const isNameMissing = (error: unknown) => error instanceof AppError && error.code === 'NAME_REQUIRED'

/** A sign-in with email and password; `asksName` once the shop does not know this address and wants a name with it. */
function useLogin(onBusy: (isBusy: boolean) => void) {
  const { signIn } = useSession()
  const [asksName, setAsksName] = useState(false)
  const login = useMutation({
    mutationFn: async (form: FormData) => {
      const [email, password] = [textOf(form, 'email').trim(), textOf(form, 'password')]
      const profile = asksName ? { name: textOf(form, 'name'), surname: textOf(form, 'surname') } : {}
      const me = await signIn(firebase => firebase.signInWithPassword(email, password), profile)
      if (asksName) forgetRegistration()
      return me
    },
    onMutate: () => onBusy(true),
    onError: error => isNameMissing(error) && setAsksName(true),
    onSettled: () => onBusy(false),
  })
  return { login, asksName, forgetName: () => setAsksName(false) }
}

/** Email and password, and a way back for those who forgot it. `onBusy` hears when a sign-in begins and ends. */
export function EmailForm({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const { login, asksName, forgetName } = useLogin(onBusy)
  const reset = useMutation({
    mutationFn: async (email: string) => (await import('./password.ts')).sendPasswordReset(email),
  })
  const [emailError, setEmailError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (login.isPending) return
    reset.reset()
    login.mutate(new FormData(event.currentTarget))
  }
  const forgot = () => {
    const email = textOf(new FormData(form.current ?? undefined), 'email').trim()
    login.reset()
    if (isEmail(email)) return reset.mutate(email)
    setEmailError('กรอกอีเมลที่ใช้สมัคร แล้วกด "ลืมรหัสผ่าน" อีกครั้ง')
    form.current?.querySelector<HTMLInputElement>('[name=email]')?.focus()
  }
  const problem = login.error ?? reset.error
  return (
    <form ref={form} onSubmit={submit} className="grid gap-1">
      {problem && <SignInProblemNote error={problem} untitled={isNameMissing(problem)} className="mb-3" />}
      {reset.isSuccess && (
        <Note role="status">
          ถ้าอีเมล <b>{reset.variables}</b> มีบัญชีอยู่ ลิงก์ตั้งรหัสผ่านใหม่ส่งไปแล้ว กรุณาตรวจสอบกล่องจดหมาย
        </Note>
      )}
      <Field
        label="อีเมล"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={emailError}
        onChange={() => {
          setEmailError(undefined)
          forgetName()
        }}
      />
      <PasswordField label="รหัสผ่าน" name="password" autoComplete="current-password" required />
      {asksName && <NameFields error={login.error} />}
      <Button type="submit" block busy={login.isPending} busyLabel="กำลังเข้าสู่ระบบ">
        {asksName ? 'สมัครให้เสร็จและเข้าสู่ระบบ' : 'เข้าสู่ระบบ'}
      </Button>
      <Button kind="quiet" size="small" className="mt-2" busy={reset.isPending} onClick={forgot}>
        ลืมรหัสผ่าน
      </Button>
    </form>
  )
}

/** For an account that registration left without a name: the identity provider has it, the shop does not. */
function NameFields({ error }: { error: unknown }) {
  const [kept] = useState(getKeptRegistration)
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector('input')?.focus(), [])
  const field = (name: 'name' | 'surname') => ({
    name,
    label: REGISTRATION_LABELS[name],
    defaultValue: kept[name],
    required: true,
    maxLength: 100,
    error: error instanceof AppError ? error.fields?.[name] : undefined,
  })
  return (
    <div ref={first}>
      <Field {...field('name')} autoComplete="given-name" />
      <Field {...field('surname')} autoComplete="family-name" />
    </div>
  )
}
