import { type FormEvent, useRef, useState } from 'react'
import { useMutation } from '../query.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { isEmail } from './registration.ts'
import { useSession } from './session.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'

const textOf = (form: FormData, name: string) => String(form.get(name) ?? '')

/** Email and password, and a way back for those who forgot it. `onBusy` hears when a sign-in begins and ends. */
export function EmailForm({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const { signIn } = useSession()
  const form = useRef<HTMLFormElement>(null)
  const login = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) =>
      signIn(firebase => firebase.signInWithPassword(email, password)),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  })
  const reset = useMutation({
    mutationFn: async (email: string) => (await import('./password.ts')).sendPasswordReset(email),
  })
  const [emailError, setEmailError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (login.isPending) return
    const data = new FormData(event.currentTarget)
    reset.reset()
    login.mutate({ email: textOf(data, 'email').trim(), password: textOf(data, 'password') })
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
      {problem && <SignInProblemNote error={problem} className="mb-3" />}
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
        onChange={() => setEmailError(undefined)}
      />
      <PasswordField label="รหัสผ่าน" name="password" autoComplete="current-password" required />
      <Button type="submit" block busy={login.isPending} busyLabel="กำลังเข้าสู่ระบบ">
        เข้าสู่ระบบ
      </Button>
      <Button kind="quiet" size="small" className="mt-2" busy={reset.isPending} onClick={forgot}>
        ลืมรหัสผ่าน
      </Button>
    </form>
  )
}
