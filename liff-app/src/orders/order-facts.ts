import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { isPlayerId } from '../draft.ts'
import type { Fact } from '../ui/facts.tsx'

/** Its money is still to be sent, as far as the customer has said. */
export const awaitsTransfer = ({
  status,
  transferReportedAt,
}: Pick<OrderView, 'status' | 'transferReportedAt'>): boolean =>
  status === 'waiting_payment' && transferReportedAt === null

/** Who the goods are for: each input of the game, the player's name below their id. */
export const playerFactsOf = (fields: OrderView['fields'], playerName: string | null): Fact[] =>
  fields.map(({ name, label, value }) => ({ label, value, note: isPlayerId(name) ? playerName : undefined }))

const PAYMENT_NAMES: Record<PaymentCode, (bankCode: string | undefined) => string> = {
  bank: bankCode => (bankCode ? `โอนเงิน ${bankOf(bankCode).niceName}` : '–'),
  wallet: () => PAYMENT_METHOD.wallet.name,
}

/** "โอนเงิน กสิกรไทย", "Wallet"; a dash for nothing yet. */
export const paymentNameOf = (payment: PaymentCode | null, bankCode: string | undefined): string =>
  payment ? PAYMENT_NAMES[payment](bankCode) : '–'
