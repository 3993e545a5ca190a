import { zodResolver } from '@hookform/resolvers/zod'
import { PIN_RULE } from '@shop/shared/account/account.ts'
import { pin } from '@shop/shared/account/fields.ts'
import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import { payee } from '@shop/shared/order/fields.ts'
import { bankOfPayee, type Payee } from '@shop/shared/order/payee.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { useToast } from '../ui/toast.tsx'

const PROMPT_PAY = bankOfPayee({ bankCode: null })
const CHOICES = [PROMPT_PAY, ...BANKS.map(({ niceName }) => niceName)]

/** What is typed; `place` is the bank's name, or PromptPay. */
interface Typed {
  place: string
  accountNo: string
  accountName: string
  /** '' where none is asked for. */
  pin: string
  /** '' where none is asked for. */
  reason: string
}

const codeOf = (place: string) => BANKS.find(({ niceName }) => niceName === place)?.code ?? null

/** What is asked for beside the account. */
interface Beside {
  asksPin: boolean
  asksReason: boolean
}

const typed = ({ asksPin, asksReason }: Beside) =>
  z
    .object({
      place: z.string().min(1, 'กรุณาเลือกธนาคารหรือพร้อมเพย์'),
      accountNo: z.string(),
      accountName: z.string(),
      pin: asksPin ? pin : z.string(),
      reason: asksReason ? z.string().trim().min(1, 'กรุณาบอกเหตุผล') : z.string(),
    })
    .superRefine(({ place, pin: _, reason: __, ...account }, context) => {
      const checked = payee.safeParse({ bankCode: codeOf(place), ...account }, { error: fieldProblemOf })
      for (const { path, message } of checked.error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [...path], message })
    })
const resolverOf = (beside: Beside) => {
  const schema = typed(beside) as z.ZodType<Typed, Typed>
  return beside.asksPin ? zodResolver(schema, { error: fieldProblemOf }) : zodResolver(schema)
}

const EMPTY: Typed = { place: '', accountNo: '', accountName: '', pin: '', reason: '' }

const isWrongPin = (error: unknown) => error instanceof AppError && error.code === 'PIN_WRONG'

interface PayeeFormProps {
  intro: string
  submitLabel: string
  /** What is said once it was sent. */
  thanks: string
  /** Set where the PIN is asked for: what stands in place of a failure that typing it again can't change, if it is one. */
  pinNote?: (error: Error | null) => ReactNode
  send: (payee: Payee, beside: Pick<Typed, 'pin' | 'reason'>) => Promise<unknown>
  onGiven: () => void
  /** Whether it is another account than the one that paid, so that its owner says why. */
  asksReason?: boolean
  /** What else is asked for, before the button. */
  children?: ReactNode
}

/** What is typed, and how it is sent. */
function usePayee({ thanks, pinNote, send, onGiven, asksReason = false }: PayeeFormProps) {
  const toast = useToast()
  const form = useForm<Typed>({
    defaultValues: EMPTY,
    resolver: resolverOf({ asksPin: pinNote !== undefined, asksReason }),
  })
  const give = useMutation({
    mutationFn: ({ place, pin: typedPin, reason, ...account }: Typed) =>
      send({ bankCode: codeOf(place), ...account }, { pin: typedPin, reason }),
    onSuccess: () => {
      toast({ text: thanks })
      onGiven()
    },
    // Only the PIN is typed again.
    onError: error => {
      if (!pinNote) return
      form.resetField('pin')
      if (isWrongPin(error)) form.setError('pin', { type: 'server', message: messageOf(error) }, { shouldFocus: true })
    },
  })
  return { form, give }
}

const inputsOf = (isPromptPay: boolean) =>
  ({
    accountNo: {
      label: isPromptPay ? 'หมายเลขพร้อมเพย์' : 'เลขที่บัญชี',
      help: isPromptPay ? 'เบอร์โทรศัพท์ หรือเลขประจำตัวประชาชน' : undefined,
      inputMode: 'numeric',
      maxLength: 30,
    },
    accountName: { label: 'ชื่อบัญชี', help: 'ชื่อ-นามสกุลของเจ้าของบัญชี', inputMode: 'text', maxLength: 100 },
    reason: {
      label: 'เหตุผลที่ไม่รับเข้าบัญชีเดิม',
      help: 'เช่น บัญชีเดิมปิดไปแล้ว ร้านต้องตรวจสองคน จึงอาจใช้เวลานานขึ้น',
      inputMode: 'text',
      maxLength: 200,
    },
  }) as const

/** Asks where money is to be sent. */
export default function PayeeForm(props: PayeeFormProps) {
  const { intro, submitLabel, pinNote, asksReason = false, children } = props
  const { form, give } = usePayee(props)
  const refused = give.error instanceof AppError ? give.error.fields : undefined
  const isPromptPay = form.watch('place') === PROMPT_PAY
  const inputs = inputsOf(isPromptPay)
  const asked = asksReason ? (['accountNo', 'accountName', 'reason'] as const) : (['accountNo', 'accountName'] as const)
  return (
    <form noValidate onSubmit={form.handleSubmit(values => !give.isPending && give.mutate(values))} className="mt-3">
      <p className="mb-3 text-ink-2 text-small">{intro}</p>
      <Controller
        control={form.control}
        name="place"
        render={({ field, fieldState }) => (
          <SelectField
            {...field}
            label="รับเงินทาง"
            choices={CHOICES}
            placeholder="เลือกธนาคารหรือพร้อมเพย์"
            error={fieldState.error?.message}
          />
        )}
      />
      {asked.map(name => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field, fieldState }) => (
            <Field
              {...field}
              {...inputs[name]}
              error={fieldState.error?.message ?? refused?.[name]}
              autoComplete="off"
              className={name === 'reason' ? 'mt-3' : undefined}
            />
          )}
        />
      ))}
      {pinNote && (
        <Controller
          control={form.control}
          name="pin"
          render={({ field, fieldState }) => (
            <PasswordField
              {...field}
              label="PIN"
              help={PIN_RULE}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              error={fieldState.error?.message}
            />
          )}
        />
      )}
      {children}
      {pinNote?.(give.error) || (
        <Problem className="mb-2">{give.error && !isWrongPin(give.error) && messageOf(give.error)}</Problem>
      )}
      <Button type="submit" block className="mt-1.5" busy={give.isPending} busyLabel="กำลังส่ง">
        {submitLabel}
      </Button>
    </form>
  )
}
