import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { refundToPayer } from '@shop/shared/statement/refund-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'

type Payer = NonNullable<OrderView['refunds'][number]['payer']>

const INPUTS = {
  number: { name: 'accountNo', label: 'เลขที่บัญชีเต็ม', missing: 'กรุณากรอกเลขที่บัญชี', inputMode: 'numeric', maxLength: 30 },
  name: { name: 'accountName', label: 'ชื่อบัญชี', missing: 'กรุณากรอกชื่อบัญชี', inputMode: 'text', maxLength: 100 },
} as const
type Wanted = keyof typeof INPUTS

interface PayerFormProps {
  orderNo: string
  payer: Payer
  onGiven: () => void
}

/** Offers the account that paid, with one button; what the bank hides of it is typed. */
export default function PayerForm({ orderNo, payer, onGiven }: PayerFormProps) {
  const { bankCode, account, name, wants } = payer
  const toast = useToast()
  const [typed, setTyped] = useState({ number: '', name: '' })
  const [isChecked, setChecked] = useState(false)
  const wanted = (['number', 'name'] as const).filter(each => wants[each])
  const give = useMutation({
    mutationFn: () => {
      const body = Object.fromEntries(wanted.map(each => [INPUTS[each].name, typed[each]]))
      return api.call(refundToPayer, { params: { orderNo }, body })
    },
    onSuccess: () => {
      toast({ text: 'ร้านจะโอนคืนเข้าบัญชีที่โอนมา' })
      onGiven()
    },
  })
  const isMissing = (each: Wanted) => typed[each].trim() === ''
  const submit = () => {
    setChecked(true)
    if (!give.isPending && !wanted.some(isMissing)) give.mutate()
  }
  const refused = give.error instanceof AppError ? give.error.fields : undefined
  const bank = bankOf(bankCode).niceName
  return (
    <form
      noValidate
      aria-label="คืนเข้าบัญชีที่โอนมา"
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
      className="mt-3 rounded-control bg-canvas p-3.5"
    >
      <p className="mb-2 font-semibold">คืนเข้าบัญชีที่คุณโอนมา</p>
      <Facts facts={[{ label: 'บัญชี', value: `${bank} ${account}` }, ...(name ? [{ label: 'ชื่อ', value: name }] : [])]} />
      {wanted.map(each => {
        const { missing, label, inputMode, maxLength, name: field } = INPUTS[each]
        return (
          <Field
            key={each}
            className="mt-3"
            name={field}
            label={label}
            help={each === 'number' ? `ร้านเห็นเพียง ${account} กรุณากรอกเลขเต็มของบัญชีเดียวกัน` : undefined}
            error={isChecked && isMissing(each) ? missing : refused?.[field]}
            value={typed[each]}
            inputMode={inputMode}
            maxLength={maxLength}
            autoComplete="off"
            onChange={event => {
              give.reset()
              setTyped({ ...typed, [each]: event.target.value })
            }}
          />
        )
      })}
      <Problem className="mb-2">{give.error && messageOf(give.error)}</Problem>
      <Button type="submit" block className="mt-2" busy={give.isPending} busyLabel="กำลังส่ง">
        คืนเข้าบัญชีนี้
      </Button>
    </form>
  )
}
