import type { ApiStatus, ENTRY_KINDS } from '@shop/shared/reseller/reseller.ts'
import { API_STATUS, API_STATUSES } from '@shop/shared/reseller/reseller.ts'
import type { API_REASONS } from '@shop/shared/reseller/v1-endpoints.ts'
import { WEBHOOK_EVENT, type WebhookEvent } from '@shop/shared/webhook/webhook.ts'
import type { LimitName } from '../../http/rate-limit.ts'
import type { TAGS } from '../operations.ts'

/** The languages of the guide; the first is that of its plain address. The reference is in English in both. */
export const LANGUAGES = ['en', 'th'] as const
export type Language = (typeof LANGUAGES)[number]

type ApiLimit = Extract<LimitName, `api${string}`>

/** What the guide says around its sections and in their tables. */
export interface Words {
  title: string
  lead: string
  skip: string
  search: string
  placeholder: string
  contents: string
  guide: string
  reference: string
  /** HTML. @param document the address of the API's document */
  aboutReference: (document: string) => string
  loading: string
  nothing: string
  /** The way to the same page in the other language. */
  other: string
  copy: string
  quickStarts: string
  clients: string
  tags: Record<keyof typeof TAGS, string>
  heads: Record<
    | 'scope'
    | 'onPage'
    | 'calls'
    | 'status'
    | 'final'
    | 'meaning'
    | 'code'
    | 'todo'
    | 'message'
    | 'try'
    | 'when'
    | 'together',
    string
  > &
    Record<'name' | 'becomes' | 'price' | 'most', string>
  yes: string
  no: string
  atOnce: string
  afterBefore: (span: string) => string
  afterFirst: (span: string) => string
  seconds: (n: number) => string
  minutes: (n: number) => string
  hours: (n: number) => string
  perWindow: (calls: number, seconds: number) => string
  statuses: Record<ApiStatus, string>
  reasons: Record<(typeof API_REASONS)[number], string>
  entries: Record<(typeof ENTRY_KINDS)[number], string>
  events: Record<WebhookEvent, string>
  limits: Record<ApiLimit, string>
}

const en: Words = {
  title: 'API for resellers',
  lead: 'Sell game top-ups and codes from your own programs: your prices, your wallet, your reference numbers. JSON over HTTPS, one key in a header, a test mode with play money, and webhooks.',
  skip: 'Skip to the text',
  search: 'Search the guide and the calls',
  placeholder: 'Search guide and calls',
  contents: 'Contents',
  guide: 'Guide',
  reference: 'Reference',
  aboutReference: document =>
    `Every call of <a href="${document}">the document</a>, and a place to try it: press <b>Authorize</b>, paste a <b>test</b> key and press <b>Execute</b> in a call. The key is forgotten when you leave the page; live keys are refused here.`,
  loading: 'Loading the calls…',
  nothing: 'Nothing here has all these words.',
  other: 'ภาษาไทย',
  copy: 'Copy',
  quickStarts: 'Quick starts',
  clients: 'Programs to build on',
  tags: { Catalogue: 'Catalogue', Wallet: 'Wallet', Orders: 'Orders', Codes: 'Codes' },
  heads: {
    scope: 'scope',
    onPage: 'on the page',
    calls: 'calls',
    status: 'status',
    final: 'final',
    meaning: 'meaning',
    code: 'code',
    todo: 'what it means and what to do',
    message: 'message',
    try: 'try',
    when: 'when',
    together: 'together',
    name: 'name',
    becomes: 'what becomes of an order',
    price: 'price',
    most: 'most per key',
  },
  yes: 'yes',
  no: 'no',
  atOnce: 'at once',
  afterBefore: span => `${span} after the try before`,
  afterFirst: span => `${span} after the first`,
  seconds: n => `${n} s`,
  minutes: n => `${n} min`,
  hours: n => `${n} h`,
  perWindow: (calls, seconds) => `${calls} in ${seconds} seconds`,
  statuses: Object.fromEntries(API_STATUSES.map(status => [status, API_STATUS[status].label])) as Words['statuses'],
  reasons: {
    delivery_failed: 'Nothing of it could be delivered',
    delivered_in_part: 'Some pieces came; the rest went back to the wallet',
    given_back: 'The shop gave the money back',
    canceled: 'You canceled it',
  },
  entries: {
    top_up: 'Money that you brought',
    order: 'An order, by a key or by hand',
    refund: 'Money of an order that came back',
    correction: 'The shop put something right',
  },
  events: WEBHOOK_EVENT,
  limits: {
    apiPricesPerKey: 'lists of games and packages',
    apiReadsPerKey: 'the wallet, its entries and orders',
    apiChecksPerKey: 'player checks',
    apiOrdersPerKey: 'orders and cancels',
    apiCodesPerKey: 'codes',
  },
}

const th: Words = {
  title: 'API สำหรับตัวแทน',
  lead: 'ขายเติมเกมและรหัสจากโปรแกรมของคุณเอง: ราคาของคุณ กระเป๋าเงินของคุณ เลขอ้างอิงของคุณ JSON ผ่าน HTTPS คีย์เดียวในส่วนหัว โหมดทดสอบด้วยเงินจำลอง และ webhook',
  skip: 'ข้ามไปที่เนื้อหา',
  search: 'ค้นหาในคู่มือและคำสั่ง',
  placeholder: 'ค้นหาคู่มือและคำสั่ง',
  contents: 'สารบัญ',
  guide: 'คู่มือ',
  reference: 'คำสั่งทั้งหมด',
  aboutReference: document =>
    `ทุกคำสั่งใน<a href="${document}">เอกสาร</a> (ภาษาอังกฤษ) และที่ลองเรียก: กด <b>Authorize</b> วางคีย์<b>ทดสอบ</b> แล้วกด <b>Execute</b> ในคำสั่ง คีย์ถูกลืมเมื่อออกจากหน้านี้ และคีย์ใช้จริงถูกปฏิเสธที่นี่`,
  loading: 'กำลังโหลดคำสั่ง…',
  nothing: 'ไม่พบส่วนที่มีคำเหล่านี้ครบ',
  other: 'English',
  copy: 'คัดลอก',
  quickStarts: 'โปรแกรมเริ่มต้น',
  clients: 'โปรแกรมสำหรับต่อยอด',
  tags: { Catalogue: 'สินค้า', Wallet: 'กระเป๋าเงิน', Orders: 'คำสั่งซื้อ', Codes: 'รหัส' },
  heads: {
    scope: 'สิทธิ์',
    onPage: 'ในหน้าร้าน',
    calls: 'คำสั่ง',
    status: 'สถานะ',
    final: 'สุดท้าย',
    meaning: 'ความหมาย',
    code: 'รหัส',
    todo: 'ความหมายและสิ่งที่ต้องทำ (ภาษาอังกฤษ)',
    message: 'ข้อความ',
    try: 'ครั้งที่',
    when: 'เมื่อไร',
    together: 'รวม',
    name: 'ชื่อ',
    becomes: 'ผลของคำสั่งซื้อ (ภาษาอังกฤษ)',
    price: 'ราคา',
    most: 'สูงสุดต่อคีย์',
  },
  yes: 'ใช่',
  no: 'ไม่',
  atOnce: 'ทันที',
  afterBefore: span => `${span} หลังครั้งก่อน`,
  afterFirst: span => `${span} หลังครั้งแรก`,
  seconds: n => `${n} วินาที`,
  minutes: n => `${n} นาที`,
  hours: n => `${n} ชม.`,
  perWindow: (calls, seconds) => `${calls} ครั้งใน ${seconds} วินาที`,
  statuses: {
    waiting: 'จ่ายแล้ว รอคิว ยังยกเลิกได้',
    processing: 'กำลังเติม',
    on_hold: 'เติมไม่สำเร็จ ร้านจะลองใหม่หรือคืนเงิน',
    completed: 'เติมแล้ว `refunded` คือเงินที่คืนของชิ้นที่ไม่ได้',
    failed: 'ไม่ได้เติม เงินทั้งหมดกลับเข้ากระเป๋าแล้ว',
    canceled: 'ยกเลิกแล้ว เงินกลับเข้ากระเป๋าแล้ว',
  },
  reasons: {
    delivery_failed: 'เติมไม่ได้เลย',
    delivered_in_part: 'ได้บางชิ้น ส่วนที่เหลือคืนเข้ากระเป๋าแล้ว',
    given_back: 'ร้านคืนเงินให้',
    canceled: 'คุณยกเลิก',
  },
  entries: {
    top_up: 'เงินที่คุณเติม',
    order: 'คำสั่งซื้อ ด้วยคีย์หรือสั่งเอง',
    refund: 'เงินของคำสั่งซื้อที่คืนมา',
    correction: 'ร้านแก้ไขให้ถูกต้อง',
  },
  events: {
    'order.processing': 'กำลังเติมคำสั่งซื้อ',
    'order.on_hold': 'เติมไม่สำเร็จ ร้านจะลองใหม่หรือคืนเงิน',
    'order.completed': 'เติมแล้ว หรือเติมได้เท่าที่มี',
    'order.failed': 'ไม่ได้เติม เงินทั้งหมดกลับเข้ากระเป๋าแล้ว',
    'order.canceled': 'คำสั่งซื้อถูกยกเลิก เงินกลับเข้ากระเป๋าแล้ว',
    'wallet.credited': 'เงินเข้ากระเป๋า: เติมเงิน คืนเงิน หรือแก้ไข',
    'wallet.debited': 'เงินออกจากกระเป๋า นอกจากสั่งซื้อ',
    'endpoint.test': 'คุณกดทดสอบ',
  },
  limits: {
    apiPricesPerKey: 'รายการเกมและแพ็กเกจ',
    apiReadsPerKey: 'กระเป๋าเงิน รายการเงิน และคำสั่งซื้อ',
    apiChecksPerKey: 'ตรวจสอบผู้เล่น',
    apiOrdersPerKey: 'สั่งซื้อและยกเลิก',
    apiCodesPerKey: 'รหัส',
  },
}

export const WORDS: Record<Language, Words> = { en, th }
