import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { PAYMENT_METHOD, type PaymentCode, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import type { OwnOrder } from '@shop/shared/order/own-endpoints.ts'
import { ORDER_STATUS, type Tone } from '@shop/shared/order/status.ts'
import { isPlayerId } from '../draft.ts'
import { surchargeSatangOf } from '../gateway/charge-facts.ts'
import type { Fact } from '../ui/facts.tsx'

/** Whether the buyer still has to pay, as far as they have told. */
export const awaitsPayment = ({
  status,
  transferReportedAt,
}: Pick<OrderView, 'status' | 'transferReportedAt'>): boolean =>
  status === 'waiting_payment' && transferReportedAt === null

/** What is told of a failed order whose buyer has corrected the player. */
export const CORRECTED = 'รับข้อมูลใหม่แล้ว'
/** What is told of a failed order whose buyer has asked for the money. */
export const REFUND_ASKED = 'ขอเงินคืนแล้ว'
/** "฿95.00 เป็นเครดิตร้าน" */
export const creditBackText = (satang: number): string => `฿${formatBaht(satang)} เป็นเครดิตร้าน`

/** Whether all that came back of an order is shop credit, or some of it. */
export const isCreditBack = ({ status, creditBackSatang }: Pick<OwnOrder, 'status' | 'creditBackSatang'>): boolean =>
  status === 'refunded' && creditBackSatang > 0

/**
 * The status of an order as its tag shows it. A transfer that was reported counts as being checked, and a failed top-up
 * is under way again once its buyer has corrected the player.
 */
export const tagOf = ({
  status,
  transferReportedAt,
  isCorrected,
  isRefundAsked,
  creditBackSatang,
}: Pick<OwnOrder, 'status' | 'transferReportedAt' | 'isCorrected' | 'isRefundAsked' | 'creditBackSatang'>): {
  label: string
  tone: Tone
} => {
  if (isCorrected) return { label: CORRECTED, tone: 'accent' }
  if (isRefundAsked) return { label: REFUND_ASKED, tone: 'accent' }
  if (isCreditBack({ status, creditBackSatang })) return { label: creditBackText(creditBackSatang), tone: 'ok' }
  const isLooked = transferReportedAt !== null && ORDER_STATUS[status].money === 'none' && status !== 'cancel'
  return isLooked ? { label: 'กำลังตรวจยอดเงิน', tone: 'accent' } : ORDER_STATUS[status]
}

/** What its buyer is asked to do with an order that waits for their word; null for nothing. */
export function askOf({ asks, playerId }: Pick<OwnOrder, 'asks' | 'playerId'>): string | null {
  if (asks === 'payee') return 'แจ้งบัญชีรับเงิน'
  if (asks === null) return null
  return playerId === NO_PLAYER ? 'ขอเงินคืน' : 'แก้ ID หรือขอเงินคืน'
}

/** For whom the goods are: each input of the game, with the player's name below their id. */
export const playerFactsOf = (fields: OrderView['fields'], playerName: string | null): Fact[] =>
  fields.map(({ name, label, value }) => ({ label, value, note: isPlayerId(name) ? playerName : undefined }))

const PAYMENT_NAMES: Record<PaymentKind, (payment: PaymentCode, bankCode: string | undefined) => string> = {
  bank: (payment, bankCode) => (bankCode ? `โอนเงิน ${bankOf(bankCode).niceName}` : PAYMENT_METHOD[payment].name),
  wallet: () => 'กระเป๋าเงิน',
  credit: payment => PAYMENT_METHOD[payment].name,
  gateway: payment => PAYMENT_METHOD[payment].name,
}

/** "โอนเงิน กสิกรไทย", "กระเป๋าเงิน", "พร้อมเพย์ QR"; a dash for nothing yet. */
export const paymentNameOf = (payment: PaymentCode | null, bankCode: string | undefined): string =>
  payment ? PAYMENT_NAMES[PAYMENT_METHOD[payment].kind](payment, bankCode) : '–'

/** "ราคา ฿149.00 + ค่าธรรมเนียม ฿2.50"; undefined where the payment method costs nothing. */
export function surchargeNoteOf(order: Pick<OrderView, 'charge' | 'dueSatang'>): string | undefined {
  const surchargeSatang = surchargeSatangOf(order)
  if (surchargeSatang === 0) return undefined
  return `ราคา ฿${formatBaht(order.dueSatang)} + ค่าธรรมเนียม ฿${formatBaht(surchargeSatang)}`
}
