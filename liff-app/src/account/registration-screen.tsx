import { firebaseCodeOf, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link, Navigate } from 'react-router-dom'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { useGoOn } from '../ui/use-go-on.ts'
import { fieldOf } from './form-field.ts'
import { byRegistrationForm } from './forms.ts'
import { keepMailedTo, mailSentText } from './mail-note.tsx'
import {
  forgetRegistration,
  getKeptRegistration,
  keepRegistration,
  PASSWORD_RULE,
  REGISTRATION_FIELDS,
  REGISTRATION_LABELS,
  type Registration,
  type RegistrationField,
} from './registration.ts'
import { useSession } from './session.tsx'
import { SignInButtons } from './sign-in-buttons.tsx'
import { SignInProblemNote } from './sign-in-problem-note.tsx'
import { useSignIn } from './use-sign-in.ts'
import { getPathAfterSignIn, isBuying } from './way-back.ts'
import { Working } from './working.tsx'

const SYNC_FAILED = 'ไม่สามารถสมัครสมาชิกได้ กรุณาลองอีกครั้ง'

/** Codes of Firebase that are told to the person, with their field and with a text where registering needs its own. */
const EXPLAINED: Record<string, { field?: RegistrationField; text?: string }> = {
  'auth/email-already-in-use': { field: 'email' },
  'auth/invalid-email': { field: 'email', text: 'กรุณากรอกอีเมลให้ถูกต้อง' },
  'auth/invalid-credential': { field: 'password', text: 'เริ่มสมัครด้วยอีเมลนี้ไว้แล้ว กรุณาใช้รหัสผ่านเดิมที่ตั้งไว้' },
  'auth/weak-password': { field: 'password' },
  'auth/network-request-failed': {},
}

/** What to say about a failed registration, and at which field if it is about one. */
function explain(error: unknown): { field?: RegistrationField; text: string } {
  const explained = EXPLAINED[firebaseCodeOf(error)]
  return explained ? { text: signInProblemOf(error), ...explained } : { text: SYNC_FAILED }
}

/**
 * Creates the account with Firebase and then tells the shop. A second try after a failure goes on where the first one
 * stopped: it signs in to the account that this form has created instead of creating it again.
 */
function useRegister(form: UseFormReturn<Registration>) {
  const { signIn } = useSession()
  const toast = useToast()
  return useMutation({
    mutationFn: async (values: Registration) => {
      const email = values.email
      const [passwords, firebase] = await Promise.all([import('./password.ts'), import('../firebase.ts')])
      await signIn(async () => {
        if (getKeptRegistration().createdEmail === email) return firebase.signInWithPassword(email, values.password)
        await passwords.createAccount(values)
        keepRegistration({ email, createdEmail: email })
      })
      forgetRegistration()
      const isSent = await firebase.sendVerificationEmail().then(
        () => true,
        () => false,
      )
      if (!isSent) return
      if (isBuying()) keepMailedTo(email)
      else toast({ text: mailSentText(email), seconds: 10 })
    },
    onError: error => {
      const { field, text } = explain(error)
      if (field) form.setError(field, { type: 'server', message: text }, { shouldFocus: true })
      else form.setError('root', { message: text })
    },
  })
}

/** Registration with email and password, or with LINE, Google or Facebook. */
export default function RegistrationScreen() {
  const { me } = useSession()
  const signIn = useSignIn()
  const form = useForm<Registration>({
    defaultValues: { email: getKeptRegistration().email ?? '', password: '' },
    resolver: byRegistrationForm,
  })
  const register = useRegister(form)
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepRegistration(values) }),
    [form],
  )
  const goOn = useGoOn()
  const submit = form.handleSubmit(values =>
    register.mutateAsync(values).then(
      () => goOn(getPathAfterSignIn(), { replace: true }),
      () => undefined,
    ),
  )
  if (signIn.isWorking) return <Working />
  if (me && !register.isPending) return <Navigate to={getPathAfterSignIn()} replace />
  return (
    <>
      {register.isPending && <Working />}
      <div className="mx-auto max-w-104 pt-2 pb-6">
        <h1 className="page-title">สมัครสมาชิก</h1>
        <p className="mt-1 mb-4 text-ink-2">แตะครั้งเดียวก็เป็นสมาชิก ไม่ต้องตั้งรหัสผ่าน</p>
        {signIn.error !== null && <SignInProblemNote error={signIn.error} className="mb-3" />}
        <div inert={register.isPending}>
          <SignInButtons verb="สมัครด้วย" signIn={signIn} />
        </div>
        <div className="my-4 flex items-center gap-3 text-ink-2 text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          หรือสมัครด้วยอีเมล
        </div>
        <form noValidate onSubmit={submit}>
          <Fields form={form} />
          <Button type="submit" block className="mt-3" busy={register.isPending} busyLabel="กำลังสมัคร">
            สมัครสมาชิก
          </Button>
          {/* Below everything that is typed or pressed, so that nothing of it moves. */}
          <Problems form={form} />
        </form>
        <p className="mt-2 text-center text-ink-2">
          มีบัญชีแล้ว{' '}
          <Link to="/login" className="link inline-flex min-h-11 items-center">
            เข้าสู่ระบบ
          </Link>
        </p>
      </div>
    </>
  )
}

/** Says after a refused form how many fields are wrong, with a button to each of them. */
function Problems({ form }: { form: UseFormReturn<Registration> }) {
  const { errors, isSubmitted } = form.formState
  const wrong = REGISTRATION_FIELDS.filter(field => errors[field])
  if (!isSubmitted || (wrong.length === 0 && !errors.root)) return null
  return (
    <Problem className="mt-3">
      {errors.root?.message ?? `กรุณาตรวจสอบ ${wrong.length} ช่อง`}
      {wrong.length > 0 && (
        <ul className="flex flex-wrap gap-x-4">
          {wrong.map(field => (
            <li key={field}>
              <button type="button" className="link min-h-11" onClick={() => form.setFocus(field)}>
                {REGISTRATION_LABELS[field]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Problem>
  )
}

function Fields({ form }: { form: UseFormReturn<Registration> }) {
  const field = (name: RegistrationField) => ({
    ...fieldOf(form, name),
    label: REGISTRATION_LABELS[name],
    required: true,
  })
  return (
    <div className="grid gap-2">
      <Field
        {...field('email')}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        help="ใช้เข้าสู่ระบบ และรับอีเมลยืนยัน"
      />
      <PasswordField {...field('password')} autoComplete="new-password" help={PASSWORD_RULE} />
    </div>
  )
}
