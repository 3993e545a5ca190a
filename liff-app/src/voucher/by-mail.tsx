import { messageOf } from '@shop/shared/errors.ts'
import { isMailAddress } from '@shop/shared/mail/mail.ts'
import { OPENING_SECONDS } from '@shop/shared/order/codes.ts'
import { asSeen, digitsIn } from '@shop/shared/typed-text.ts'
import { giveCodeAddress, sendCodeNumber } from '@shop/shared/voucher/reveal-endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Mail } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { fieldOf } from '../account/form-field.ts'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'

interface NumberProps {
  orderNo: string
  /** The address as far as it is shown. */
  address: string | null
  busy: boolean
  error: Error | null
  onNumber: (number: string) => void
}

/** On another device: the shop sends a number to the address that the guest gave, and they type it here. */
export function NumberForm({ orderNo, address, busy, error, onNumber }: NumberProps) {
  const send = useMutation({ mutationFn: () => api.call(sendCodeNumber, { params: { orderNo }, body: {} }) })
  const form = useForm({ defaultValues: { number: '' }, reValidateMode: 'onSubmit' })
  const number = fieldOf(form, 'number', {
    setValueAs: digitsIn,
    validate: text => /^\d{6}$/.test(text) || 'กรอกตัวเลข 6 หลักจากอีเมล',
  })
  const sendButton = (
    <Button
      kind={send.isSuccess ? 'quiet' : 'primary'}
      size="small"
      icon={<Mail size={18} />}
      busy={send.isPending}
      busyLabel="กำลังส่ง"
      onClick={() => send.mutate()}
    >
      {send.isSuccess ? 'ส่งอีกครั้ง' : 'ส่งตัวเลขไปที่อีเมล'}
    </Button>
  )
  return (
    <div className="mt-2">
      <p className="mb-2 text-ink-2 text-small">
        เครื่องนี้ไม่ใช่เครื่องที่สั่งซื้อ ร้านจะส่งตัวเลข 6 หลักไปที่ <b className="text-ink">{address}</b> เพื่อเปิดดูรหัส
      </p>
      <Problem className="mb-2">{send.error && messageOf(send.error)}</Problem>
      {send.isSuccess && (
        <form onSubmit={form.handleSubmit(values => onNumber(values.number))} className="grid gap-1" noValidate>
          <Note role="status" className="mb-1">
            ส่งไปที่ {send.data.sentTo} แล้ว ใช้ได้ {OPENING_SECONDS / 60} นาที หากไม่พบ ดูในกล่องจดหมายขยะ
          </Note>
          <Field
            {...number}
            error={number.error ?? (error && !busy ? messageOf(error) : undefined)}
            label="ตัวเลขจากอีเมล"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
          />
          <Button type="submit" block busy={busy} busyLabel="กำลังเปิด">
            เปิดดูรหัส
          </Button>
        </form>
      )}
      {sendButton}
    </div>
  )
}

interface AddressProps {
  orderNo: string
  address: string | null
  onGiven: () => void
}

/** Where a guest says to which address numbers may go, so that their codes open on another device, too. */
export function AddressForm({ orderNo, address, onGiven }: AddressProps) {
  const form = useForm({ defaultValues: { address: address ?? '' }, reValidateMode: 'onSubmit' })
  const give = useMutation({
    mutationFn: (address: string) => api.call(giveCodeAddress, { params: { orderNo }, body: { address } }),
    onSuccess: onGiven,
  })
  const field = fieldOf(form, 'address', {
    setValueAs: (text: string) => asSeen(text).trim(),
    validate: text => isMailAddress(text) || 'กรุณากรอกอีเมลให้ถูกต้อง',
  })
  return (
    <details className="group mt-1">
      <summary className="link flex min-h-11 cursor-pointer items-center gap-1.5 [&::-webkit-details-marker]:hidden">
        {address ? 'อีเมลสำหรับเปิดบนเครื่องอื่น' : 'อยากเปิดดูบนเครื่องอื่นด้วย'}
        <ChevronDown size={18} className="group-open:rotate-180" />
      </summary>
      <p className="mb-2 text-ink-2 text-small">ลิงก์ติดตามอย่างเดียวใช้ดูรหัสไม่ได้ ใส่อีเมลไว้ ร้านจะส่งตัวเลขให้เมื่อเปิดจากเครื่องอื่น</p>
      <form onSubmit={form.handleSubmit(values => give.mutate(values.address))} className="grid gap-1" noValidate>
        <Problem className="mb-2">{give.error && messageOf(give.error)}</Problem>
        <Field {...field} label="อีเมล" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
        <Button type="submit" kind="secondary" size="small" busy={give.isPending}>
          บันทึกอีเมล
        </Button>
        {give.isSuccess && <Note role="status">บันทึกแล้ว</Note>}
      </form>
    </details>
  )
}
