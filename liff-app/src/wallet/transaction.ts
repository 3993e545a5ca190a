import { type GatewayMethod, isGatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { Tone } from '@shop/shared/order/status.ts'
import type { WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'

export const STATUS_TONES: Record<TopUpStatus, Tone> = {
  waiting_payment: 'warn',
  waiting_approve: 'accent',
  approve: 'ok',
  reject: 'warn',
  cancel: 'bad',
  expired: 'bad',
}

/** The amount as it changes the balance: negative when money leaves the wallet. */
export const signedSatangOf = ({ transType, amountSatang }: Pick<WalletTransaction, 'transType' | 'amountSatang'>) =>
  transType === 'ถอน' ? -amountSatang : amountSatang

/** Whether a top-up is paid through the payment gateway. */
export const isByGateway = (payment: WalletTransaction['payment']): payment is GatewayMethod =>
  payment !== null && isGatewayMethod(payment)

/** "เติมเงิน", "เติมเงิน · พร้อมเพย์ QR", "เติมเกม · RoV 740 คูปอง", "คืนเงิน · RoV 740 คูปอง". */
export function nameTransaction(
  row: Pick<WalletTransaction, 'actionType' | 'transType' | 'gameName' | 'packageName' | 'payment'>,
): string {
  const method = isByGateway(row.payment) && PAYMENT_METHOD[row.payment].name
  const goods = [method, row.gameName, row.packageName].filter(Boolean).join(' ')
  const what = row.transType === 'คืนเงิน' ? 'คืนเงิน' : row.actionType
  return goods ? `${what} · ${goods}` : what
}

/** Whether a top-up was rejected or cancelled, or not paid in time, so that its amount never reached the wallet. */
export const isWithoutEffect = ({ status }: Pick<WalletTransaction, 'status'>): boolean =>
  status === 'reject' || status === 'cancel' || status === 'expired'
