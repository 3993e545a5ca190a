import { keysOf } from '../table.ts'

/** The states of a request to erase an account, with their names for people. */
export const ERASURE_STATES = {
  asked: 'รออนุมัติ',
  approved: 'กำลังลบ',
  done: 'ลบแล้ว',
  withdrawn: 'เจ้าของยกเลิก',
} as const satisfies Record<string, string>
export type ErasureState = keyof typeof ERASURE_STATES
export const ERASURE_STATE_NAMES = keysOf(ERASURE_STATES)

/**
 * What must be settled before an account can be erased, each with a sentence to its owner that says what to do. The last
 * words of a person about money can't be taken back, so nothing that is open may be cut off.
 */
export const ERASURE_BARRIER = {
  staff: 'บัญชีนี้เป็นของทีมงาน ให้ผู้ดูแลระบบเปลี่ยนบทบาทเป็นลูกค้าก่อน',
  balance: 'กระเป๋าเงินยังมีเงินเหลือ ใช้ให้หมดหรือติดต่อร้านเพื่อขอคืนเงินก่อน',
  credit: 'ยังมีเครดิตร้านเหลือ ใช้ให้หมดหรือขอรับเป็นเงินโอนในหน้าเครดิตร้านก่อน',
  order: 'ยังมีคำสั่งซื้อที่ไม่จบ รอให้เสร็จหรือยกเลิกก่อน',
  lateTransfer: 'มีเงินที่แจ้งโอนหรือเริ่มชำระไว้แต่ร้านยังหาไม่พบ ติดต่อร้านก่อน หรือรอให้ครบ 30 วัน',
  refund: 'ร้านยังมีเงินที่ต้องโอนคืนให้คุณ แจ้งบัญชีรับเงินคืนในหน้าคำสั่งซื้อ แล้วรอให้ร้านโอน',
  topUp: 'ยังมีรายการเติมกระเป๋าเงินที่รอชำระหรือรอตรวจ ยกเลิกหรือรอให้เสร็จก่อน',
  word: 'มีรายการของบัญชีนี้ที่รอทีมงานคนที่สองยืนยัน รอให้จบก่อน',
} as const satisfies Record<string, string>
export type ErasureBarrier = keyof typeof ERASURE_BARRIER
export const ERASURE_BARRIERS = keysOf(ERASURE_BARRIER)

/** How long an order whose transfer was reported, and not found, keeps its buyer's account. */
export const LATE_TRANSFER_DAYS = 30

/**
 * An approved request waits this long: tokens that were issued before live for an hour, and the owner's last message must
 * be sent while the shop still knows where to.
 */
export const ERASURE_WAIT_MINUTES = 65
/** Messages that were not sent by then are given up, or a LINE that is down would keep the person for ever. */
export const LAST_WORDS_HOURS = 24

/** The name under which what stays of an erased account is listed. */
export const ERASED_NAME = 'บัญชีที่ลบแล้ว'
