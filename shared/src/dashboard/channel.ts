import { keysOf } from '../table.ts'

interface SaleChannelEntry {
  label: string
  /** Who buys there. */
  note: string
}

/**
 * How a buyer comes to the shop. It follows from the order: whose wallet paid, or with what the buyer's account was made.
 * An account that was made with a password and linked with LINE later stays a member of the web.
 */
const channels = {
  reseller: { label: 'ตัวแทน', note: 'จ่ายจาก Wallet' },
  line: { label: 'LINE', note: 'สมัครด้วย LINE' },
  member: { label: 'สมาชิกเว็บ', note: 'อีเมลหรือโซเชียล' },
  guest: { label: 'ไม่เข้าสู่ระบบ', note: 'ไม่มีบัญชี' },
} satisfies Record<string, SaleChannelEntry>
export type SaleChannel = keyof typeof channels
export const SALE_CHANNEL: Record<SaleChannel, SaleChannelEntry> = channels
export const SALE_CHANNELS = keysOf(channels)
