import type { Tone } from '@shop/shared/order/status.ts'
import type { WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import type { TopUpStatus } from '@shop/shared/wallet/top-up.ts'

export const STATUS_TONES: Record<TopUpStatus, Tone> = {
  waiting_approve: 'accent',
  approve: 'ok',
  reject: 'warn',
  cancel: 'bad',
}

/** The amount as it changes the balance: negative when money leaves the wallet. */
export const signedSatangOf = ({ transType, amountSatang }: Pick<WalletTransaction, 'transType' | 'amountSatang'>) =>
  transType === 'ถอน' ? -amountSatang : amountSatang

/** "เติมเงิน", "เติมเกม · RoV 740 คูปอง", "คืนเงิน · RoV 740 คูปอง". */
export function nameTransaction(
  row: Pick<WalletTransaction, 'actionType' | 'transType' | 'gameName' | 'packageName'>,
): string {
  const goods = [row.gameName, row.packageName].filter(Boolean).join(' ')
  const what = row.transType === 'คืนเงิน' ? 'คืนเงิน' : row.actionType
  return goods ? `${what} · ${goods}` : what
}

/** Whether a top-up was rejected or cancelled, so that its amount never reached the wallet. */
export const isWithoutEffect = ({ status }: Pick<WalletTransaction, 'status'>): boolean =>
  status === 'reject' || status === 'cancel'
