import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { canCancelTopUp, canEditTopUp, TOP_UP_STATUS_LABELS, type TopUp } from '@shop/shared/wallet/top-up.ts'
import type { HistoryLine } from './history-sources.ts'

/** Returns a line of the history with what `uid` may see and change. */
export function viewLine(line: HistoryLine, uid: string) {
  const mine = { ...line, enteredBy: line.enteredBy ?? '' }
  return {
    ...line,
    unit: 'บาท' as const,
    createdDate: line.createdAt.toISOString(),
    canEdit: line.isTopUp && canEditTopUp(mine, uid),
    canCancel: line.isTopUp && canCancelTopUp(mine, uid),
  }
}

/** The gateway's method that a top-up is paid by; a transfer needs no word. */
const gatewayNameOf = ({ payment }: HistoryLine) =>
  payment && payment !== 'bank' ? PAYMENT_METHOD[payment].name : null

/** The history's download; amounts are plain decimals in baht. */
export const HISTORY_SHEET = {
  header: ['วันที่', 'เลขที่รายการ', 'ประเภท', 'ฝาก/ถอน', 'จำนวนเงิน', 'หน่วย', 'สถานะ', 'รายละเอียด'],
  cellsOf: (line: HistoryLine): string[] => [
    formatDateTimeSeconds(line.createdAt),
    line.no,
    line.actionType,
    line.transType,
    toDecimalText(line.amountSatang),
    'บาท',
    TOP_UP_STATUS_LABELS[line.status],
    [gatewayNameOf(line), line.gameName, line.packageName, line.reason].filter(Boolean).join(' '),
  ],
}

/** The history's download for staff, with the owners. */
export const STAFF_HISTORY_SHEET = {
  header: [...HISTORY_SHEET.header, 'ตัวแทน', 'Tier'],
  cellsOf: (line: HistoryLine): string[] => [...HISTORY_SHEET.cellsOf(line), line.agentName, line.tierName],
}

/** The answer to a change of a top-up. */
export const topUpReply = ({ id, no, status }: TopUp) => ({ id, no, status })
