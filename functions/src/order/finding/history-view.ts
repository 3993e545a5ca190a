import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { HistoryRow } from './history-store.ts'

type Columns = Record<string, (row: HistoryRow) => string>

/** The download's columns by heading; amounts are plain decimals in baht. */
const COLUMNS: Columns = {
  วันที่สั่งซื้อ: ({ createdAt }) => formatDateTimeSeconds(createdAt),
  เลขที่คำสั่งซื้อ: ({ orderNo }) => orderNo,
  คิว: ({ queueNo }) => queueNo?.toString() ?? '',
  สถานะ: ({ status }) => ORDER_STATUS[status].label,
  เกม: ({ gameName }) => gameName,
  แพ็กเกจ: ({ packageName }) => packageName,
  จำนวน: ({ quantity }) => quantity.toString(),
  'Player ID': ({ playerId }) => playerId,
  ชื่อผู้เล่น: ({ playerName }) => playerName ?? '',
  'ชื่อ-นามสกุล': ({ buyerName }) => buyerName ?? '',
  'LINE ID': ({ lineId }) => lineId ?? '',
  วิธีชำระเงิน: ({ payment }) => PAYMENT_METHOD[payment].name,
  'ยอดชำระ (บาท)': ({ amountSatang }) => toDecimalText(amountSatang),
  วันที่ชำระเงิน: ({ paidAt }) => (paidAt ? formatDateTimeSeconds(paidAt) : ''),
  วันที่แจ้งโอน: ({ transferReportedAt }) => (transferReportedAt ? formatDateTimeSeconds(transferReportedAt) : ''),
  ผู้รับเรื่อง: ({ claimedByName }) => claimedByName ?? '',
}

/** Columns only for people who may see costs; an unknown cost is an empty cell. */
const COST_COLUMNS: Columns = {
  'ต้นทุน (บาท)': ({ costSatang }) => (costSatang === null ? '' : toDecimalText(costSatang)),
}

/** Returns the columns and file of the history's download. */
export function historySheet({ seesCosts }: { seesCosts: boolean }) {
  const columns = { ...COLUMNS, ...(seesCosts && COST_COLUMNS) }
  return {
    header: Object.keys(columns),
    cellsOf: (row: HistoryRow): string[] => Object.values(columns).map(cellOf => cellOf(row)),
  }
}
