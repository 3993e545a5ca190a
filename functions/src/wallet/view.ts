import { toDecimalText } from '@shop/shared/money.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import { canCancelTopUp, canEditTopUp, TOP_UP_STATUS_LABELS, type TopUp } from '@shop/shared/wallet/top-up.ts'
import type { HistoryLine } from './history-sources.ts'

/** A line of the history as `uid` may see and change it. */
export function viewLine(line: HistoryLine, uid: string): WalletTransaction {
  const {
    createdAt,
    isTopUp,
    enteredBy,
    walletId: _wallet,
    ownerUid,
    agentName: _name,
    tierName: _tier,
    hasStatementLine: _line,
    ...shown
  } = line
  const mine = { status: line.status, enteredBy: enteredBy ?? '', ownerUid }
  return {
    ...shown,
    unit: 'บาท',
    createdDate: createdAt.toISOString(),
    canEdit: isTopUp && canEditTopUp(mine, uid),
    canCancel: isTopUp && canCancelTopUp(mine, uid),
  }
}

/** The history as a download; amounts are plain decimals in baht. */
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
    [line.gameName, line.packageName, line.reason].filter(Boolean).join(' '),
  ],
}

/** The same for staff, who see whose it is. */
export const STAFF_HISTORY_SHEET = {
  header: [...HISTORY_SHEET.header, 'ตัวแทน', 'Tier'],
  cellsOf: (line: HistoryLine): string[] => [...HISTORY_SHEET.cellsOf(line), line.agentName, line.tierName],
}

/** What a change of a top-up answers with. */
export const topUpReply = ({ id, no, status }: TopUp) => ({ id, no, status })
