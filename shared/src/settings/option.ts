import { keysOf } from '../table.ts'
import { HOURS } from '../time.ts'

/** A setting that the shop's managers choose, stored as text. */
export interface Option<T> {
  label: string
  /** What it does, for the person who sets it. */
  hint: string
  kind: 'switch' | 'number' | 'line' | 'lines'
  /** The value while nothing readable is set. */
  standard: T
  /** Returns null for a text that is not a value of this option. */
  read(text: string): T | null
  /** Describes the allowed values, when a text can't be read. */
  takes: string
  /** Whether the storefront may know it. */
  isPublic: boolean
  /**
   * For an option that protects the shop's money from one person alone: whether a change weakens the protection. Only
   * admins write it, all of them are told, and weakening it needs a second admin.
   */
  guards?(from: T, to: T): boolean
}

type Words<T> = Pick<Option<T>, 'label' | 'hint' | 'isPublic' | 'guards'>

const toggle = (standard: boolean, words: Words<boolean>): Option<boolean> => ({
  ...words,
  kind: 'switch',
  standard,
  read: text => (text === 'true' ? true : text === 'false' ? false : null),
  takes: 'เปิดหรือปิด',
})

const whole = (standard: number, [least, most]: [number, number], words: Words<number>): Option<number> => ({
  ...words,
  kind: 'number',
  standard,
  read: text => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null),
  takes: `จำนวนเต็ม ${least.toLocaleString('en-US')} ถึง ${most.toLocaleString('en-US')}`,
})

const text = (kind: 'line' | 'lines', matches: RegExp, takes: string, words: Words<string>): Option<string> => ({
  ...words,
  kind,
  standard: '',
  read: value => (value === '' || matches.test(value) ? value : null),
  takes,
})

const anyLine = /^[^\p{Cc}\p{Cs}]{1,200}$/u
const anyLines = /^(?:[^\p{Cc}\p{Cs}]|\n){1,500}$/u

/** The table of all options; the names are the API's. */
export const OPTION = {
  PAYMENT_TIME_LIMIT: whole(15, [1, 24 * 60], {
    label: 'เวลาชำระเงิน (นาที)',
    hint: 'ลูกค้าต้องโอนภายในเวลานี้ มีผลกับคำสั่งซื้อใหม่',
    isPublic: true,
  }),
  CHECK_MIDASBUY: toggle(false, {
    label: 'ตรวจสอบ Player ID',
    hint: 'ตรวจชื่อผู้เล่นก่อนสั่งซื้อ สำหรับเกมที่ตั้งผู้ให้บริการตรวจสอบไว้',
    isPublic: true,
  }),
  ALLOW_GUEST_CHECKOUT: toggle(true, {
    label: 'ซื้อโดยไม่ต้องเข้าสู่ระบบ',
    hint: 'ปิดแล้ว ลูกค้าต้องเข้าสู่ระบบก่อนสั่งซื้อ',
    isPublic: true,
  }),
  GUEST_ORDERS_PER_ADDRESS_AND_HOUR: whole(0, [0, 10_000], {
    label: 'ซื้อโดยไม่เข้าสู่ระบบ ต่อเครือข่ายต่อชั่วโมง (ครั้ง)',
    hint: '0 คือใช้ค่าของเซิร์ฟเวอร์ (ปกติ 30) เกินนี้ลูกค้าต้องเข้าสู่ระบบด้วย LINE ลูกค้ามือถือเครือข่ายเดียวกันนับรวมกัน ในหนึ่งนาทีซื้อได้หนึ่งในสาม แต่ไม่น้อยกว่า 10',
    isPublic: false,
  }),
  SHOP_CREDIT: toggle(false, {
    label: 'คืนเงินเป็นเครดิตร้าน',
    hint: 'ลูกค้าที่เข้าสู่ระบบเลือกรับเงินคืนเป็นเครดิตได้ทันที และใช้ซื้อครั้งต่อไป ปิดแล้วเครดิตที่มีอยู่ยังใช้ได้',
    isPublic: true,
  }),
  CREDIT_PIN_ABOVE: whole(1000, [0, 999_999], {
    label: 'ใช้เครดิตเกินยอดนี้ต้องกรอก PIN (บาท)',
    hint: 'ต่อคำสั่งซื้อ 0 คือกรอกทุกครั้ง',
    isPublic: true,
  }),
  TWO_PERSON_APPROVAL_AMOUNT: whole(20_000, [0, 999_999_999], {
    label: 'ยอดที่ต้องอนุมัติสองคน (บาท)',
    hint: 'เกินยอดนี้ การเติมเงิน Wallet และเงินที่คนหนึ่งเคลื่อนย้ายในหนึ่งวันต้องมีคนที่สองยืนยัน และการรับเงินด้วยมือต้องเป็นผู้จัดการ',
    isPublic: false,
    guards: (from, to) => to > from,
  }),
  REQUIRE_ADMIN_TOTP: toggle(false, {
    label: 'บังคับใช้แอปยืนยันตัวตน',
    hint: 'ทุกคนในหลังร้านต้องกรอกรหัส 6 หลักจากแอปหลังเข้าสู่ระบบ คนที่ตั้งไว้แล้วต้องกรอกเสมอ',
    isPublic: false,
    guards: (from, to) => from && !to,
  }),
  CURRENCY_MARGIN: whole(2, [0, 20], {
    label: 'เผื่ออัตราแลกเปลี่ยน (%)',
    hint: 'บวกเพิ่มจากอัตราขายของธนาคารแห่งประเทศไทย เพื่อไม่ให้คิดต้นทุนต่ำไป ไม่บวกกับอัตราที่กรอกเอง',
    isPublic: false,
    guards: (from, to) => to < from,
  }),
  LINE_OA_ID: text('line', /^@[\w.-]{1,30}$/, 'ขึ้นต้นด้วย @ เช่น @kraam', {
    label: 'LINE Official Account',
    hint: 'ลูกค้าเพิ่มเพื่อนบัญชีนี้หลังสั่งซื้อ',
    isPublic: true,
  }),
  STAFF_HOURS: text('line', HOURS, 'ช่วงเวลา เช่น 08:00-23:00', {
    label: 'เวลาที่แจ้งทีมงานใน LINE',
    hint: 'นอกเวลานี้ไม่ส่งทีละรายการ แต่สรุปให้ตอนเริ่มเวลา เว้นว่างไว้หากแจ้งตลอด 24 ชั่วโมง',
    isPublic: false,
  }),
  STAFF_DIGEST_MINUTES: whole(0, [0, 240], {
    label: 'รวมข้อความถึงทีมงาน (นาที)',
    hint: '0 คือแจ้งทันทีทีละรายการ มากกว่านั้นจะสรุปทุกกี่นาที ช่วยประหยัดโควตาข้อความ LINE',
    isPublic: false,
  }),
  OPENING_HOURS: text('line', HOURS, 'เวลาเปิด-ปิด เช่น 09:00-23:00', {
    label: 'เวลาทำการ',
    hint: 'เวลาประเทศไทย เช่น 09:00-23:00 นอกเวลานี้ลูกค้ายังสั่งซื้อได้ แต่เห็นว่าร้านปิดและจะเติมให้เมื่อเปิด เว้นว่างไว้หากเปิดตลอด 24 ชั่วโมง',
    isPublic: true,
  }),
  COMPANY_NAME: text('line', anyLine, 'ไม่เกิน 200 ตัวอักษร', {
    label: 'ชื่อบริษัท',
    hint: 'แสดงท้ายหน้าร้านและในข้อกำหนด',
    isPublic: true,
  }),
  COMPANY_ADDRESS: text('lines', anyLines, 'ไม่เกิน 500 ตัวอักษร', {
    label: 'ที่อยู่บริษัท',
    hint: 'แสดงท้ายหน้าร้าน',
    isPublic: true,
  }),
  CONTACT_PHONE: text('line', /^[\d +-]{9,20}$/, 'หมายเลขโทรศัพท์', {
    label: 'โทรศัพท์ติดต่อ',
    hint: 'แสดงให้ลูกค้าติดต่อร้าน',
    isPublic: true,
  }),
  CONTACT_EMAIL: text('line', /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@]{2,}$/, 'อีเมล', {
    label: 'อีเมลติดต่อ',
    hint: 'แสดงให้ลูกค้าติดต่อร้าน',
    isPublic: true,
  }),
} satisfies Record<string, Option<unknown>>

export type OptionName = keyof typeof OPTION
export const OPTION_NAMES = keysOf(OPTION)
export type Options = { [N in OptionName]: (typeof OPTION)[N]['standard'] }

/** Returns the typed options; missing or unreadable ones have their default. */
export function optionsFrom(texts: Partial<Record<string, string>>): Options {
  const read = ([name, option]: [string, Option<unknown>]) => [name, option.read(texts[name] ?? '') ?? option.standard]
  return Object.fromEntries(Object.entries<Option<unknown>>(OPTION).map(read)) as Options
}

/** Tells whether an option protects the shop's money from one person alone. */
export const isGuard = (name: OptionName): boolean => 'guards' in OPTION[name]

/** Tells whether a change of such an option, from text to text, weakens the protection. */
export function loosens(name: OptionName, from: string, to: string): boolean {
  const { read, standard, guards }: Option<unknown> = OPTION[name]
  return guards?.(read(from) ?? standard, read(to) ?? standard) ?? false
}
