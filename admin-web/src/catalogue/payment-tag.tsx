import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/catalogue.ts'

export function PaymentTag({ payment }: { payment: PaymentCode }) {
  return <span className={payment === 'bank' ? 'tag is-ok' : 'tag is-accent'}>{PAYMENT_METHOD[payment].name}</span>
}
