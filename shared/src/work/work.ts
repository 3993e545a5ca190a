import { type Action, type Caller, can } from '../permissions.ts'
import type { StaffPage } from '../staff-pages.ts'

/** What waits for somebody of the staff. */
export type WorkKind = 'orders' | 'reports' | 'lateReports' | 'topUps' | 'lines' | 'refunds' | 'withoutLine'

interface WorkEntry {
  title: string
  /** On the link to where it is done. */
  todo: string
  /** Told instead of a number when nothing waits. */
  nothing: string
  /** Who can do it; nobody else is told of it. */
  allow: Action
  /** Where it is done; the menu counts it there. */
  page: StaffPage
  /** A customer waits for it: the menu shows it in the accent colour, the tab's title counts it, and it may ring. */
  isPressing: boolean
}

/** The one table of waiting work, in the order of its urgency. */
export const WORK: Record<WorkKind, WorkEntry> = {
  orders: {
    title: 'คำสั่งซื้อรอเติม',
    todo: 'เปิดคิว',
    nothing: 'เติมครบทุกรายการแล้ว',
    allow: 'order.work',
    page: 'queue',
    isPressing: true,
  },
  reports: {
    title: 'แจ้งโอนแล้ว รอตรวจเงิน',
    todo: 'ตรวจเงิน',
    nothing: 'ไม่มีลูกค้ารอยืนยันการโอน',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  lateReports: {
    title: 'แจ้งโอนหลังหมดเวลา',
    todo: 'ตรวจเงิน',
    nothing: 'ไม่มียอดโอนหลังหมดเวลา',
    allow: 'order.work',
    page: 'history',
    isPressing: true,
  },
  topUps: {
    title: 'เติมกระเป๋าเงินรออนุมัติ',
    todo: 'ตรวจสลิป',
    nothing: 'อนุมัติครบแล้ว',
    allow: 'wallet.approve',
    page: 'wallet',
    isPressing: true,
  },
  lines: {
    title: 'รายการธนาคารยังไม่จับคู่',
    todo: 'จับคู่',
    nothing: 'จับคู่ครบแล้ว',
    allow: 'statement.match',
    page: 'statement',
    isPressing: false,
  },
  refunds: {
    title: 'เงินรอคืนลูกค้า',
    todo: 'คืนเงิน',
    nothing: 'คืนครบแล้ว',
    allow: 'order.refund',
    page: 'refunds',
    isPressing: false,
  },
  withoutLine: {
    title: 'รับเงินแล้ว ธนาคารยังไม่แสดง',
    todo: 'ตรวจสอบ',
    nothing: 'ทุกยอดมีรายการธนาคาร',
    allow: 'statement.match',
    page: 'reconciliation',
    isPressing: false,
  },
}
export const WORK_KINDS = Object.keys(WORK) as WorkKind[]

/** What a caller can do of it. */
export const workOf = (caller: Caller): WorkKind[] => WORK_KINDS.filter(kind => can(caller, WORK[kind].allow))
