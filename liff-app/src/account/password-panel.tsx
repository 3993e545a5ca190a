import type { Me } from '@shop/shared/account/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { isWrongPassword, signInProblemOf, WRONG_PASSWORD } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { fieldOf } from './form-field.ts'
import { byPasswordForm, type PasswordForm } from './forms.ts'
import { PASSWORD_RULE } from './registration.ts'
import { useSession } from './session.tsx'
import { NotDecided, useKeepAccess } from './use-keep-access.tsx'

const AT_PASSWORD = ['PASSWORD_SAME', 'WEAK_PASSWORD']

function explain(error: unknown): { field: keyof PasswordForm | 'root'; message: string } {
  if (isWrongPassword(error)) return { field: 'current', message: WRONG_PASSWORD }
  const message = signInProblemOf(error)
  const isAboutNew = error instanceof AppError && AT_PASSWORD.includes(error.code)
  return { field: isAboutNew ? 'password' : 'root', message }
}

/** Changes the password: the old one proves who asks, then every session ends and the new one signs in again. */
export default function PasswordPanel({ me, onDone }: { me: Me; onDone: (me: Me) => void }) {
  const { renewPassword } = useSession()
  const toast = useToast()
  const access = useKeepAccess({ secret: 'password', name: 'รหัสผ่าน' })
  const form = useForm<PasswordForm>({
    defaultValues: { current: '', password: '', confirm_password: '' },
    resolver: byPasswordForm,
  })
  const change = useMutation({
    mutationFn: async ({ current, password }: PasswordForm) => renewPassword(current, password, await access.ask()),
    onSuccess: changed => {
      toast({ text: 'เปลี่ยนรหัสผ่านสำเร็จ' })
      form.reset()
      if (changed) onDone(changed)
    },
    onError: error => {
      if (error instanceof NotDecided) return
      const { field, message } = explain(error)
      form.setError(field, { type: 'server', message }, { shouldFocus: field !== 'root' })
    },
  })
  return (
    <form noValidate className="grid gap-2" onSubmit={form.handleSubmit(values => change.mutate(values))}>
      <Problem>{form.formState.errors.root?.message}</Problem>
      <input type="text" name="username" autoComplete="username" defaultValue={me.email ?? ''} hidden readOnly />
      <PasswordField {...fieldOf(form, 'current')} label="รหัสผ่านปัจจุบัน" autoComplete="current-password" />
      <PasswordField
        {...fieldOf(form, 'password')}
        label="รหัสผ่านใหม่"
        autoComplete="new-password"
        help={PASSWORD_RULE}
      />
      <PasswordField {...fieldOf(form, 'confirm_password')} label="ยืนยันรหัสผ่านใหม่" autoComplete="new-password" />
      <Button type="submit" block busy={change.isPending}>
        เปลี่ยนรหัสผ่าน
      </Button>
      {access.sheet}
    </form>
  )
}
