import { type Action, type Caller, can } from '../permissions.ts'
import type { StaffPage } from '../staff-pages.ts'
import { keysOf } from '../table.ts'

interface BacklogEntry {
  title: string
  /** The text of the link to the page where it is done. */
  todo: string
  /** Shown below the number where no sum of money says more. */
  note?: string
  /** The permission to do it; it is shown to nobody else. */
  allow: Action
  /** The page where it is done; the menu shows its number there. */
  page: StaffPage
  /**
   * Whether a customer waits for it. Then the menu shows it in the accent colour, the tab's title counts it, and it may
   * ring.
   */
  isPressing: boolean
}

/** The table of all waiting work, most urgent first. */
const backlog = {
  orders: {
    title: 'คำสั่งซื้อรอเติม',
    todo: 'เปิดคิว',
    allow: 'order.work',
    page: 'queue',
    isPressing: true,
  },
  reports: {
    title: 'แจ้งโอนแล้ว รอตรวจเงิน',
    todo: 'ตรวจเงิน',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  lateReports: {
    title: 'แจ้งโอนหลังหมดเวลา',
    todo: 'ตรวจเงิน',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  corrections: {
    title: 'เติมไม่สำเร็จ ลูกค้าแก้ข้อมูลผู้เล่น',
    todo: 'เติมใหม่',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  failed: {
    title: 'เติมไม่สำเร็จ ร้านยังถือเงิน',
    todo: 'คืนเงินหรือเติมใหม่',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  topUps: {
    title: 'เติมกระเป๋าเงินรออนุมัติ',
    todo: 'ตรวจสลิป',
    allow: 'wallet.approve',
    page: 'wallet',
    isPressing: true,
  },
  lines: {
    title: 'รายการธนาคารยังไม่จับคู่',
    todo: 'จับคู่',
    allow: 'statement.match',
    page: 'statement',
    isPressing: false,
  },
  lostSlips: {
    title: 'สลิปและการซื้อที่พบหลังกู้ข้อมูล',
    todo: 'หาเจ้าของเงิน',
    note: 'ยังไม่รู้ว่าเป็นของคำสั่งซื้อใด',
    allow: 'order.work',
    page: 'lost',
    isPressing: true,
  },
  disputed: {
    title: 'รายการของคีย์ที่เพิกถอนไม่ได้',
    todo: 'ตรวจทีละรายการ',
    allow: 'statement.match',
    page: 'statement',
    isPressing: false,
  },
  unknownCharges: {
    title: 'จ่ายผ่านผู้ให้บริการ ยังไม่รู้ผล',
    todo: 'ดูรายการ',
    allow: 'health.mend',
    page: 'health',
    isPressing: true,
  },
  deadJobs: {
    title: 'งานของระบบที่ทำไม่สำเร็จ',
    todo: 'ดูและเริ่มใหม่',
    note: 'ระบบลองจนครบแล้ว รอคนดู',
    allow: 'health.mend',
    page: 'health',
    isPressing: true,
  },
  refunds: {
    title: 'เงินรอคืนลูกค้า',
    todo: 'คืนเงิน',
    allow: 'order.refund',
    page: 'refunds',
    isPressing: false,
  },
  withoutLine: {
    title: 'รับเงินแล้ว ธนาคารยังไม่แสดง',
    todo: 'ตรวจสอบ',
    note: 'เกิน 2 วันแล้ว',
    allow: 'statement.match',
    page: 'reconciliation',
    isPressing: false,
  },
  secondWords: {
    title: 'รายการรอคนที่สองยืนยัน',
    todo: 'ตรวจและยืนยัน',
    allow: 'value.second',
    page: 'secondWords',
    isPressing: false,
  },
  waitingFiles: {
    title: 'ไฟล์ธนาคารรอคนที่สองยืนยัน',
    todo: 'ตรวจและยืนยัน',
    note: 'ผู้จำหน่ายยังไม่ส่งคำสั่งซื้อในไฟล์',
    allow: 'value.second',
    page: 'statement',
    isPressing: false,
  },
  messages: {
    title: 'ข้อความ LINE ส่งไม่สำเร็จ',
    todo: 'ดูและส่งใหม่',
    note: 'ลูกค้าหรือทีมงานยังไม่ได้รับแจ้ง',
    allow: 'order.work',
    page: 'chat',
    isPressing: false,
  },
} as const satisfies Record<string, BacklogEntry>
export type BacklogKind = keyof typeof backlog
export const BACKLOG: Record<BacklogKind, BacklogEntry> = backlog
export const BACKLOG_KINDS = keysOf(backlog)

/** Returns the kinds of work that a caller can do. */
export const backlogOf = (caller: Caller): BacklogKind[] =>
  BACKLOG_KINDS.filter(kind => can(caller, BACKLOG[kind].allow))
