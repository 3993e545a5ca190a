import { zodResolver } from '@hookform/resolvers/zod'
import { BANKS } from '@shop/shared/catalogue/banks.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import { bankOfPayee, type Payee, payee } from '@shop/shared/order/payee.ts'
import { useMutation } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
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
}

const codeOf = (place: string) => BANKS.find(({ niceName }) => niceName === place)?.code ?? null

const typed = z
  .object({ place: z.string().min(1, 'กรุณาเลือกธนาคารหรือพร้อมเพย์'), accountNo: z.string(), accountName: z.string() })
  .superRefine(({ place, ...account }, context) => {
    const checked = payee.safeParse({ bankCode: codeOf(place), ...account }, { error: fieldProblemOf })
    for (const { path, message } of checked.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message })
  })

const EMPTY: Typed = { place: '', accountNo: '', accountName: '' }

interface PayeeFormProps {
  intro: string
  submitLabel: string
  /** What is said once it was sent. */
  thanks: string
  send: (payee: Payee) => Promise<unknown>
  onGiven: () => void
}

/** Asks where money is to be sent. */
export default function PayeeForm({ intro, submitLabel, thanks, send, onGiven }: PayeeFormProps) {
  const toast = useToast()
  const form = useForm<Typed>({ defaultValues: EMPTY, resolver: zodResolver(typed as z.ZodType<Typed, Typed>) })
  const give = useMutation({
    mutationFn: ({ place, ...account }: Typed) => send({ bankCode: codeOf(place), ...account }),
    onSuccess: () => {
      toast({ text: thanks })
      onGiven()
    },
  })
  const refused = give.error instanceof AppError ? give.error.fields : undefined
  const isPromptPay = form.watch('place') === PROMPT_PAY
  const inputs = {
    accountNo: {
      label: isPromptPay ? 'หมายเลขพร้อมเพย์' : 'เลขที่บัญชี',
      help: isPromptPay ? 'เบอร์โทรศัพท์ หรือเลขประจำตัวประชาชน' : undefined,
      inputMode: 'numeric',
      maxLength: 30,
    },
    accountName: { label: 'ชื่อบัญชี', help: 'ชื่อ-นามสกุลของเจ้าของบัญชี', inputMode: 'text', maxLength: 100 },
  } as const
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
      {(['accountNo', 'accountName'] as const).map(name => (
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
            />
          )}
        />
      ))}
      <Problem className="mb-2">{give.error && messageOf(give.error)}</Problem>
      <Button type="submit" block className="mt-1.5" busy={give.isPending} busyLabel="กำลังส่ง">
        {submitLabel}
      </Button>
    </form>
  )
}
