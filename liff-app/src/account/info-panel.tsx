import { showPhone } from '@shop/shared/account/account.ts'
import { type Me, updateUser } from '@shop/shared/account/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { fieldOf } from './form-field.ts'
import { byInfoForm, type InfoForm } from './forms.ts'
import { PHONE_WRONG } from './registration.ts'
import { useSession } from './session.tsx'

/** The form for the name and phone number of the signed-in person. */
export default function InfoPanel({ me }: { me: Me }) {
  const { renew } = useSession()
  const toast = useToast()
  const form = useForm<InfoForm>({
    resolver: byInfoForm,
    defaultValues: { firstname: me.name, lastname: me.surname, phonenumber: showPhone(me.tel) },
  })
  const save = useMutation({
    mutationFn: ({ firstname, lastname, phonenumber }: InfoForm) =>
      api.call(updateUser, { body: { firstName: firstname, lastName: lastname, phoneNumber: phonenumber || null } }),
    onSuccess: saved => {
      renew(saved)
      form.reset({ firstname: saved.name, lastname: saved.surname, phonenumber: showPhone(saved.tel) })
      toast({ text: 'บันทึกข้อมูลสำเร็จ!' })
    },
    onError: error => {
      const isPhoneWrong = error instanceof AppError && error.code === 'PHONE_INVALID'
      if (isPhoneWrong) form.setError('phonenumber', { type: 'server', message: PHONE_WRONG }, { shouldFocus: true })
      else form.setError('root', { message: `บันทึกข้อมูลไม่สำเร็จ! ${messageOf(error)}` })
    },
  })
  return (
    <form noValidate className="grid gap-2" onSubmit={form.handleSubmit(info => save.mutate(info))}>
      <Problem>{form.formState.errors.root?.message}</Problem>
      <Field {...fieldOf(form, 'firstname')} label="ชื่อ" autoComplete="given-name" maxLength={100} />
      <Field {...fieldOf(form, 'lastname')} label="นามสกุล" autoComplete="family-name" maxLength={100} />
      <Field
        {...fieldOf(form, 'phonenumber')}
        label="เบอร์โทรศัพท์"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={20}
        help="เช่น 0812345678 หรือ +66812345678"
      />
      <Button type="submit" block busy={save.isPending}>
        บันทึก
      </Button>
    </form>
  )
}
