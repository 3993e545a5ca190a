import { messageOf } from '@shop/shared/errors.ts'
import { isMailAddress } from '@shop/shared/mail/mail.ts'
import { askRefund, giveNewsAddress } from '@shop/shared/order/correction-endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { asSeen } from '@shop/shared/typed-text.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fieldOf } from '../account/form-field.ts'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { EmailText } from '../ui/email-text.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'

interface MoneyBackProps {
  order: OrderView
  onChanged: () => void
}

/** What the buyer of a failed order can do about their money: ask for it, and say where to be told of it. */
export default function MoneyBack({ order, onChanged }: MoneyBackProps) {
  return (
    <>
      {order.canAskRefund && <AskRefund order={order} onChanged={onChanged} />}
      {order.canGiveNewsAddress && <NewsAddress order={order} onChanged={onChanged} />}
    </>
  )
}

function AskRefund({ order: { orderNo }, onChanged }: MoneyBackProps) {
  const ask = useMutation({
    mutationFn: () => api.call(askRefund, { params: { orderNo }, body: {} }),
    onSuccess: onChanged,
  })
  return (
    <section aria-labelledby="ask-refund" className="mt-4 rounded-card border border-line p-4">
      <h2 id="ask-refund" className="text-section">
        ไม่เติมแล้ว ขอเงินคืน
      </h2>
      <p className="mt-0.5 mb-3 text-ink-2 text-small">ส่งคำขอแล้วแจ้งบัญชีรับเงินต่อได้ทันที ไม่ต้องรอทีมงานติดต่อ</p>
      <Problem className="mb-2">{ask.error && messageOf(ask.error)}</Problem>
      <Button kind="secondary" block busy={ask.isPending} busyLabel="กำลังส่งคำขอ" onClick={() => ask.mutate()}>
        ขอเงินคืน
      </Button>
    </section>
  )
}

/** A guest has no account by which the shop could tell them, so they may leave an address. */
function NewsAddress({ order: { orderNo, newsAddress }, onChanged }: MoneyBackProps) {
  const toast = useToast()
  const [isEditing, setEditing] = useState(newsAddress === null)
  const form = useForm({ defaultValues: { address: newsAddress ?? '' }, reValidateMode: 'onSubmit' })
  const give = useMutation({
    mutationFn: (address: string) => api.call(giveNewsAddress, { params: { orderNo }, body: { address } }),
    onSuccess: () => {
      toast({ text: 'ร้านจะแจ้งทางอีเมลนี้' })
      setEditing(false)
      onChanged()
    },
  })
  const field = fieldOf(form, 'address', {
    setValueAs: (text: string) => asSeen(text).trim(),
    validate: text => isMailAddress(text) || 'กรุณากรอกอีเมลให้ถูกต้อง',
  })
  return (
    <section aria-labelledby="news-address" className="mt-4 rounded-card border border-line p-4">
      <h2 id="news-address" className="text-section">
        ให้ร้านแจ้งทางอีเมล
      </h2>
      {isEditing ? (
        <form
          onSubmit={form.handleSubmit(({ address }) => give.mutate(address))}
          className="mt-0.5 grid gap-1"
          noValidate
        >
          <p className="mb-2 text-ink-2 text-small">คุณซื้อโดยไม่ได้เข้าสู่ระบบ ร้านจึงยังไม่มีทางแจ้งคุณเมื่อเติมใหม่หรือโอนคืนแล้ว</p>
          <Problem className="mb-2">{give.error && messageOf(give.error)}</Problem>
          <Field {...field} label="อีเมล" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
          <Button type="submit" kind="secondary" busy={give.isPending} busyLabel="กำลังบันทึก">
            แจ้งฉันทางอีเมลนี้
          </Button>
        </form>
      ) : (
        <>
          <p className="mt-0.5 text-small">
            เมื่อเติมใหม่หรือโอนคืนแล้ว ร้านจะแจ้งที่{' '}
            <b>
              <EmailText>{newsAddress ?? ''}</EmailText>
            </b>
          </p>
          <Button kind="quiet" size="small" className="-ml-3 mt-1" onClick={() => setEditing(true)}>
            เปลี่ยนอีเมล
          </Button>
        </>
      )}
    </section>
  )
}
