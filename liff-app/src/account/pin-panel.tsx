import { PIN_RULE } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { FirstPin } from './first-pin.tsx'
import { fieldOf } from './form-field.ts'
import { byPinForm, type PinForm } from './forms.ts'
import { isPinClosed, PinClosedNote } from './pin-closed.tsx'
import { useSession } from './session.tsx'
import { useCredit, useRefreshCredit } from './use-credit.ts'
import { NotDecided, useKeepAccess } from './use-keep-access.tsx'

function getFieldOf(error: unknown): keyof PinForm | 'root' {
  const code = error instanceof AppError ? error.code : null
  if (code === 'OLD_PIN_WRONG') return 'oldPin'
  return code === 'PIN_SAME' ? 'pin' : 'root'
}

interface PinPanelProps {
  me: Me
  onDone: (me: Me) => void
}

/** Changes the PIN, or sets the first one: staff give that of a wallet, that of shop credit is its owner's own choice. */
export default function PinPanel(props: PinPanelProps) {
  const credit = useCredit()
  if (props.me.hasWallet || props.me.mustChangePin) return <PinChange {...props} />
  return (
    <Loaded query={credit} skeleton={<Skeleton className="h-60" />} failure="ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง">
      {({ pin }) => (pin === null ? <FirstPin {...props} /> : <PinChange {...props} />)}
    </Loaded>
  )
}

/** A wrong old PIN counts as a wrong try, and too many of those lock it. */
function PinChange({ onDone }: PinPanelProps) {
  const { renew } = useSession()
  const toast = useToast()
  const refreshCredit = useRefreshCredit()
  const access = useKeepAccess({ secret: 'pin', name: ' PIN' })
  const form = useForm<PinForm>({
    defaultValues: { oldPin: '', pin: '', confirm_pin: '' },
    resolver: byPinForm,
  })
  const change = useMutation({
    mutationFn: async ({ oldPin, pin }: PinForm) => {
      const keep = await access.ask()
      return api.call(changePin, { body: { oldPin, pin, keep } })
    },
    onSuccess: changed => {
      form.reset()
      renew(changed)
      void refreshCredit()
      toast({ text: 'เปลี่ยน PIN สำเร็จ' })
      onDone(changed)
    },
    onError: error => {
      if (error instanceof NotDecided) return
      const field = getFieldOf(error)
      form.resetField('oldPin')
      form.setError(field, { type: 'server', message: messageOf(error) }, { shouldFocus: field !== 'root' })
    },
  })
  const field = (name: keyof PinForm) => ({
    ...fieldOf(form, name),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    maxLength: 4,
  })
  return (
    <form noValidate className="grid gap-2" onSubmit={form.handleSubmit(values => change.mutate(values))}>
      <p className="mb-1 text-ink-2 text-small">PIN ใช้ยืนยันการทำรายการด้วยกระเป๋าเงินหรือเครดิตร้าน เช่น การเติมเกม</p>
      {isPinClosed(change.error) ? (
        <PinClosedNote className="mb-1" error={change.error} />
      ) : (
        <Problem className="mb-1">{form.formState.errors.root?.message}</Problem>
      )}
      <PasswordField {...field('oldPin')} label="PIN เดิม" help={PIN_RULE} />
      <PasswordField {...field('pin')} label="PIN ใหม่" help={PIN_RULE} />
      <PasswordField {...field('confirm_pin')} label="ยืนยัน PIN ใหม่" />
      <Button type="submit" block busy={change.isPending}>
        เปลี่ยน PIN
      </Button>
      {access.sheet}
    </form>
  )
}
