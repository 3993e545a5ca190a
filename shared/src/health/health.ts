import type { StaffPage } from '../staff-pages.ts'
import { keysOf } from '../table.ts'

interface ServiceEntry {
  title: string
  /** What the shop uses it for. */
  use: string
  /** What it means for customers and staff while it fails or is off. */
  without: string
  /** Where somebody can act; null where only whoever runs the server can. */
  act: { label: string; page: StaffPage; search?: string } | null
}

/** The services that the shop depends on, in the order in which they are shown. */
const services = {
  database: {
    title: 'ฐานข้อมูล',
    use: 'เก็บคำสั่งซื้อ เงิน และการตั้งค่าทั้งหมด',
    without: 'ร้านเปิดขายไม่ได้ และหน้านี้ก็เปิดไม่ได้',
    act: null,
  },
  jobs: {
    title: 'งานตามเวลา',
    use: 'ให้คำสั่งซื้อหมดเวลา จับคู่รายการธนาคาร เตือนทีมงาน',
    without: 'เงินที่โอนมาไม่ถูกจับคู่เอง และทีมงานไม่ได้รับคำเตือน',
    act: null,
  },
  outbox: {
    title: 'งานที่รอส่งออก',
    use: 'ส่งสลิปไปตรวจ ส่งข้อความ สั่งเติมกับผู้จำหน่าย',
    without: 'สลิป ข้อความ และการเติมอัตโนมัติรออยู่ ไม่มีอะไรหาย',
    act: null,
  },
  slip: {
    title: 'ตรวจสลิป',
    use: 'ยืนยันเงินจากสลิปโดยไม่ต้องรอพนักงาน',
    without: 'สลิปจะรอพนักงานตรวจ',
    act: { label: 'คำสั่งซื้อที่รอตรวจเงิน', page: 'history', search: 'waiting=reported' },
  },
  supplier: {
    title: 'ผู้จำหน่าย',
    use: 'เติมแพ็กเกจที่เปิดเติมอัตโนมัติ',
    without: 'คำสั่งซื้ออัตโนมัติรอพนักงานเติมเอง',
    act: { label: 'ตั้งค่าผู้จำหน่าย', page: 'appconfig', search: 'section=supplier' },
  },
  gateway: {
    title: 'ผู้รับชำระเงินออนไลน์',
    use: 'รับเงินด้วย QR พร้อมเพย์และวอลเล็ตอื่น',
    without: 'ลูกค้ายังจ่ายด้วยการโอนเงินธนาคารได้',
    act: null,
  },
  lineMessaging: {
    title: 'ข้อความ LINE',
    use: 'แจ้งลูกค้าและทีมงานทาง LINE',
    without: 'ลูกค้าไม่ได้รับแจ้งทาง LINE แต่ดูสถานะในร้านได้',
    act: { label: 'การแจ้งเตือน LINE', page: 'chat' },
  },
  lineGroup: {
    title: 'กลุ่ม LINE ของทีมงาน',
    use: 'บอกทีมงานว่ามีคำสั่งซื้อใหม่',
    without: 'ทีมงานไม่รู้ทันที ลูกค้าอาจรอนานขึ้น',
    act: { label: 'ผูกกลุ่ม LINE', page: 'chat' },
  },
  lineLogin: {
    title: 'เข้าสู่ระบบด้วย LINE',
    use: 'ให้ลูกค้าเข้าร้านด้วยบัญชี LINE',
    without: 'ลูกค้าเข้าด้วย LINE ไม่ได้ แต่เข้าด้วยอีเมลหรือซื้อโดยไม่เข้าสู่ระบบได้',
    act: null,
  },
  playerLookup: {
    title: 'ค้นชื่อผู้เล่น',
    use: 'แสดงชื่อผู้เล่นก่อนจ่ายเงิน',
    without: 'ลูกค้าซื้อได้ แต่ไม่เห็นชื่อผู้เล่นก่อนจ่ายเงิน',
    act: { label: 'ตั้งค่าการตรวจชื่อ', page: 'appconfig', search: 'section=system' },
  },
  mail: {
    title: 'อีเมล',
    use: 'แจ้งเจ้าของบัญชีเมื่อมีการเปลี่ยนแปลงสำคัญ',
    without: 'เจ้าของบัญชีที่ไม่มี LINE ไม่ได้รับแจ้ง',
    act: { label: 'อีเมลที่ส่งไม่ถึง', page: 'chat' },
  },
} as const satisfies Record<string, ServiceEntry>
export type ServiceName = keyof typeof services
export const SERVICE_HEALTH: Record<ServiceName, ServiceEntry> = services
export const SERVICE_NAMES = keysOf(services)

/** How a service does; what needs somebody comes first. */
const states = {
  failing: { label: 'ขัดข้อง', tone: 'is-bad' },
  works: { label: 'ใช้งานได้', tone: 'is-ok' },
  unused: { label: 'ยังไม่เคยใช้', tone: '' },
  off: { label: 'ปิดอยู่', tone: '' },
  missing: { label: 'ยังไม่ได้ตั้งค่า', tone: '' },
} as const satisfies Record<string, { label: string; tone: string }>
export type HealthState = keyof typeof states
export const HEALTH_STATE: Record<HealthState, { label: string; tone: string }> = states
export const HEALTH_STATES = keysOf(states)
