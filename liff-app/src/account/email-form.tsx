import { AppError } from '@shop/shared/errors.ts'
import { isWrongLogin, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { fieldOf } from './form-field.ts'
import { byLoginForm, type LoginForm } from './forms.ts'
import { forgetRegistration, getKeptRegistration, isEmail, REGISTRATION_LABELS } from './registration.ts'
import { useSession } from './session.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'

const isNameMissing = (error: unknown) => error instanceof AppError && error.code === 'NAME_REQUIRED'

/** A sign-in with email and password; `asksName` is true once the shop has asked for the name of a new customer. */
function useLogin(onBusy: (isBusy: boolean) => void) {
  const { signIn } = useSession()
  const [asksName, setAsksName] = useState(false)
  const login = useMutation({
    mutationFn: async ({ email, password, name, surname }: LoginForm) => {
      const profile = asksName ? { name, surname } : {}
      const me = await signIn(firebase => firebase.signInWithPassword(email.trim(), password), profile)
      if (asksName) forgetRegistration()
      return me
    },
    onMutate: () => onBusy(true),
    onError: error => isNameMissing(error) && setAsksName(true),
    onSettled: () => onBusy(false),
  })
  return { login, asksName, forgetName: () => setAsksName(false) }
}

/** The name that was typed on the registration page. */
function getKeptName() {
  const { name = '', surname = '' } = getKeptRegistration()
  return { name, surname }
}

/** The form to sign in with email and password, or to reset the password. `onBusy` is told when a sign-in begins or ends. */
export function EmailForm({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const form = useForm<LoginForm>({
    defaultValues: { email: '', password: '', ...getKeptName() },
    resolver: byLoginForm,
    reValidateMode: 'onSubmit',
    // A name that is no longer asked for is neither checked nor sent.
    shouldUnregister: true,
  })
  const { login, asksName, forgetName } = useLogin(onBusy)
  const reset = useMutation({
    mutationFn: async (email: string) => (await import('./password.ts')).sendPasswordReset(email),
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
    const email = form.getValues('email').trim()
    login.reset()
    if (isEmail(email)) return reset.mutate(email)
    const message = 'กรอกอีเมลที่ใช้สมัคร แล้วกด "ลืมรหัสผ่าน" อีกครั้ง'
    form.setError('email', { message }, { shouldFocus: true })
  }
  const onEmailChange = () => {
    form.clearErrors('email')
    forgetName()
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
      {problem && !isWrong && <SignInProblemNote error={problem} untitled={isNameMissing(problem)} className="mb-3" />}
      {reset.isSuccess && (
        <Note role="status">
          ถ้าอีเมล <b>{reset.variables}</b> มีบัญชีอยู่ ลิงก์ตั้งรหัสผ่านใหม่ส่งไปแล้ว กรุณาตรวจสอบกล่องจดหมาย
        </Note>
      )}
      <Field
        {...fieldOf(form, 'email', { onChange: onEmailChange })}
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
      {asksName && <NameFields form={form} error={login.error} />}
      <Button type="submit" block busy={login.isPending} busyLabel="กำลังเข้าสู่ระบบ">
        {asksName ? 'สมัครให้เสร็จและเข้าสู่ระบบ' : 'เข้าสู่ระบบ'}
      </Button>
      <Button kind="quiet" size="small" className="mt-2" busy={reset.isPending} onClick={forgot}>
        ลืมรหัสผ่าน
      </Button>
    </form>
  )
}

/** Asks for the name of an account that Firebase has and the shop does not, because its registration was interrupted. */
function NameFields({ form, error }: { form: UseFormReturn<LoginForm>; error: unknown }) {
  const refused = error instanceof AppError ? error.fields : undefined
  useEffect(() => form.setFocus('name'), [form])
  const field = (name: 'name' | 'surname') => {
    const connected = fieldOf(form, name)
    const problem = connected.error ?? refused?.[name]
    return { ...connected, label: REGISTRATION_LABELS[name], required: true, maxLength: 100, error: problem }
  }
  return (
    <div>
      <Field {...field('name')} autoComplete="given-name" />
      <Field {...field('surname')} autoComplete="family-name" />
    </div>
  )
}
