import { asSeen } from '@shop/shared/typed-text.ts'
import { isWrongLogin, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { fieldOf } from './form-field.ts'
import { byLoginForm, type LoginForm } from './forms.ts'
import { isEmail } from './registration.ts'
import { useSession } from './session.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'

/** A sign-in with email and password. */
function useLogin(onBusy: (isBusy: boolean) => void) {
  const { signIn } = useSession()
  return useMutation({
    mutationFn: ({ email, password }: LoginForm) => signIn(firebase => firebase.signInWithPassword(email, password)),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
  })
}

/** The form to sign in with email and password, or to reset the password. `onBusy` is told when a sign-in begins or ends. */
export function EmailForm({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const form = useForm<LoginForm>({
    defaultValues: { email: '', password: '' },
    resolver: byLoginForm,
    reValidateMode: 'onSubmit',
  })
  const login = useLogin(onBusy)
  const reset = useMutation({
    mutationFn: async (email: string) => (await import('../firebase.ts')).sendPasswordReset(email),
  })
  const element = useRef<HTMLFormElement>(null)
  /** Reads the inputs themselves: some password managers fill them in without an event. */
  const readFields = () => {
    for (const [name, text] of new FormData(element.current ?? undefined))
      form.setValue(name as keyof LoginForm, String(text))
  }
  const submit = form.handleSubmit(values => {
    if (login.isPending) return
    reset.reset()
    login.mutate(values)
  })
  const forgot = () => {
    readFields()
    const email = asSeen(form.getValues('email')).trim()
    login.reset()
    if (isEmail(email)) return reset.mutate(email)
    const message = 'กรอกอีเมลที่ใช้สมัคร แล้วกด "ลืมรหัสผ่าน" อีกครั้ง'
    form.setError('email', { message }, { shouldFocus: true })
  }
  const problem = login.error ?? reset.error
  const password = fieldOf(form, 'password')
  // Said at the field, where a line is kept free for it, so that the form stays where it is.
  const isWrong = isWrongLogin(problem)
  return (
    <form
      ref={element}
      onSubmit={event => {
        readFields()
        void submit(event)
      }}
      className="grid gap-1"
    >
      {problem && !isWrong && <SignInProblemNote error={problem} className="mb-3" />}
      {reset.isSuccess && (
        <Note role="status">
          ถ้าอีเมล <b>{reset.variables}</b> มีบัญชีอยู่ ลิงก์ตั้งรหัสผ่านใหม่ส่งไปแล้ว กรุณาตรวจสอบกล่องจดหมาย
        </Note>
      )}
      <Field
        {...fieldOf(form, 'email', { onChange: () => form.clearErrors('email') })}
        label="อีเมล"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <PasswordField
        {...password}
        error={isWrong ? signInProblemOf(problem) : password.error}
        label="รหัสผ่าน"
        autoComplete="current-password"
        required
      />
      <Button type="submit" block busy={login.isPending} busyLabel="กำลังเข้าสู่ระบบ">
        เข้าสู่ระบบ
      </Button>
      <Button kind="quiet" size="small" className="mt-2" busy={reset.isPending} onClick={forgot}>
        ลืมรหัสผ่าน
      </Button>
    </form>
  )
}
