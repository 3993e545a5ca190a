import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'

export function PaymentTag({ payment }: { payment: PaymentCode }) {
  return <span className={payment === 'bank' ? 'tag is-ok' : 'tag is-accent'}>{PAYMENT_METHOD[payment].name}</span>
}
