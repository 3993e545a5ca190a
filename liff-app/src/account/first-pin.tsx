import { PIN_RULE } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { changePin } from '@shop/shared/account/pin-endpoints.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { fieldOf } from './form-field.ts'
import { byFirstPinForm, type FirstPinForm } from './forms.ts'
import { OwnerCode } from './owner-code.tsx'
import { isPinClosed, PinClosedNote } from './pin-closed.tsx'
import { PROVEN_SECONDS, ProveSheet } from './prove-sheet.tsx'
import { useSession } from './session.tsx'
import { useRefreshCredit } from './use-credit.ts'

const AT_CODE: ErrorCode[] = ['NUMBER_WRONG', 'NUMBER_OVER']
const codeOf = (error: unknown): ErrorCode | null => (error instanceof AppError ? error.code : null)

const isLatelyProven = async () => (await (await import('./password.ts')).getSecondsSinceProof()) < PROVEN_SECONDS

interface FirstPinProps {
  me: Me
  onDone: (me: Me) => void
}

/**
 * Sets the first PIN. A session is no proof of who is there, so the owner signs in anew before they type, because the way to
 * LINE and back would lose what was typed; or they type a code that the shop sends them.
 */
export function FirstPin(props: FirstPinProps) {
  const proof = useQuery({ queryKey: ['first-pin-proof'], queryFn: isLatelyProven, staleTime: 0, gcTime: 0 })
  const [isProving, setProving] = useState(false)
  const path = `/user/${props.me.uid}?panel=pin`
  return (
    <Loaded query={proof} skeleton={<Skeleton className="h-60" />} failure="ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง">
      {isProven => (
        <>
          <p className="mb-3 text-ink-2 text-small">
            PIN นี้คุ้มครองเครดิตร้านของคุณ ใช้เมื่อใช้เครดิตเกินยอดที่ร้านกำหนด และทุกครั้งที่ขอรับเป็นเงินโอน
          </p>
          {isProven ? (
            <PinFields {...props} path={path} />
          ) : (
            <>
              <p className="mb-3">ก่อนตั้ง PIN ครั้งแรก กรุณายืนยันว่าเป็นคุณ</p>
              <Button block onClick={() => setProving(true)}>
                ยืนยันตัวตน
              </Button>
            </>
          )}
          <ProveSheet
            me={props.me}
            open={isProving}
            path={path}
            onClose={() => setProving(false)}
            onProven={() => {
              setProving(false)
              void proof.refetch()
            }}
          />
        </>
      )}
    </Loaded>
  )
}

function PinFields({ me, path, onDone }: FirstPinProps & { path: string }) {
  const { renew } = useSession()
  const toast = useToast()
  const refreshCredit = useRefreshCredit()
  const form = useForm<FirstPinForm>({
    defaultValues: { pin: '', confirm_pin: '', code: '' },
    resolver: byFirstPinForm,
  })
  const [step, setStep] = useState<'type' | 'prove' | 'code'>('type')
  const set = useMutation({
    mutationFn: ({ pin, code }: FirstPinForm) => api.call(changePin, { body: code ? { pin, code } : { pin } }),
    onSuccess: changed => {
      form.reset()
      renew(changed)
      void refreshCredit()
      toast({ text: 'ตั้ง PIN สำเร็จ' })
      onDone(changed)
    },
    onError: error => {
      const code = codeOf(error)
      if (code === 'RECENT_SIGN_IN_REQUIRED') return setStep('prove')
      if (code === 'OWNER_CODE_REQUIRED') return setStep('code')
      // What was set in another tab is read, so that this page asks for it.
      if (code === 'PIN_ALREADY_SET') void refreshCredit()
      const isAboutCode = code !== null && AT_CODE.includes(code)
      if (isAboutCode) form.resetField('code')
      const message = messageOf(error)
      form.setError(isAboutCode ? 'code' : 'root', { type: 'server', message }, { shouldFocus: isAboutCode })
    },
  })
  const send = form.handleSubmit(values => !set.isPending && set.mutate(values))
  const field = (name: 'pin' | 'confirm_pin') => ({
    ...fieldOf(form, name),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    maxLength: 4,
  })
  return (
    <>
      <form noValidate className="grid gap-2" onSubmit={send}>
        {isPinClosed(set.error) ? (
          <PinClosedNote className="mb-1" error={set.error} />
        ) : (
          <Problem className="mb-1">{form.formState.errors.root?.message}</Problem>
        )}
        <PasswordField {...field('pin')} label="PIN ใหม่" help={PIN_RULE} />
        <PasswordField {...field('confirm_pin')} label="ยืนยัน PIN ใหม่" />
        {step === 'code' && <OwnerCode {...fieldOf(form, 'code')} />}
        <Button type="submit" block busy={set.isPending}>
          ตั้ง PIN
        </Button>
      </form>
      <ProveSheet
        me={me}
        open={step === 'prove'}
        path={path}
        onClose={() => setStep('type')}
        onProven={() => {
          setStep('type')
          void send()
        }}
      />
    </>
  )
}
