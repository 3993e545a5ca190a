import { keysOf } from '../table.ts'

/** How money moves at a gateway, by what it says to staff. */
const moves = {
  charge: 'เงินค่าสินค้า',
  surcharge: 'ค่าธรรมเนียมที่ลูกค้าจ่าย',
  owed: 'เงินที่ต้องคืนลูกค้า',
  fee: 'ค่าธรรมเนียมที่ผู้ให้บริการหัก',
  payout: 'โอนเข้าบัญชีร้าน',
  other: 'อื่น ๆ',
} as const
export type GatewayMove = keyof typeof moves
export const GATEWAY_MOVE: Record<GatewayMove, string> = moves
export const GATEWAY_MOVES = keysOf(moves)
