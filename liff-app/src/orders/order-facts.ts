import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import type { Fact } from '../ui/facts.tsx'

/** Who the goods are for: each input of the game, the player's name below their id. */
export const playerFactsOf = (fields: OrderView['fields'], playerName: string | null): Fact[] =>
  fields.map(({ name, label, value }) => ({ label, value, note: name === 'field1' ? playerName : undefined }))

const PAYMENT_NAMES: Record<PaymentCode, (bankCode: string | undefined) => string> = {
  bank: bankCode => (bankCode ? `โอนเงิน ${bankOf(bankCode).niceName}` : '–'),
  wallet: () => 'Wallet',
}

/** "โอนเงิน กสิกรไทย", "Wallet", or nothing yet. */
export const paymentNameOf = (payment: PaymentCode | null, bankCode: string | undefined): string =>
  payment ? PAYMENT_NAMES[payment](bankCode) : '–'
