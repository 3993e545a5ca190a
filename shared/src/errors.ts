import { STAFF_ERRORS } from './staff-errors.ts'
import { keysOf } from './table.ts'

/**
 * Every expected failure: stable English code -> HTTP status and the Thai text a person can act on.
 * `{name}` is filled from the error's `values`.
 */
const catalogue = {
  INTERNAL: [500, 'ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง'],
  UNAVAILABLE: [503, 'ระบบไม่พร้อมให้บริการชั่วคราว กรุณาลองอีกครั้ง'],
  FILES_UNAVAILABLE: [503, 'ร้านเก็บหรือเปิดไฟล์ไม่ได้ชั่วคราว กรุณาลองอีกครั้งในอีกสักครู่'],
  NOT_FOUND: [404, 'ไม่พบข้อมูลที่ต้องการ'],
  INVALID_INPUT: [400, 'ข้อมูลไม่ถูกต้อง กรุณาตรวจสอบอีกครั้ง'],
  UPLOAD_TOO_SLOW: [408, 'ส่งไฟล์ช้าเกินไป กรุณาตรวจสอบสัญญาณอินเทอร์เน็ตแล้วลองอีกครั้ง'],
  PAYLOAD_TOO_LARGE: [413, 'ข้อมูลมีขนาดใหญ่เกินไป'],
  UNAUTHENTICATED: [401, 'กรุณาเข้าสู่ระบบ'],
  SESSION_REVOKED: [401, 'เซสชันหมดอายุ กรุณาเข้าสู่ระบบอีกครั้ง'],
  SESSION_EXPIRED: [401, 'เข้าสู่ระบบมาครบ 12 ชั่วโมงแล้ว กรุณาเข้าสู่ระบบอีกครั้ง'],
  FORBIDDEN: [403, 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้'],
  ACCOUNT_INACTIVE: [403, 'บัญชีนี้ถูกระงับการใช้งาน กรุณาติดต่อแอดมิน'],
  PASSWORD_CHANGE_REQUIRED: [403, 'กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน'],
  PIN_CHANGE_REQUIRED: [403, 'กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน'],
  LINE_NOT_ALLOWED: [403, 'ผู้จัดการและผู้ดูแลระบบเข้าสู่ระบบด้วย LINE ไม่ได้ กรุณาใช้อีเมลหรือ Google'],
  RATE_LIMITED: [429, 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  GUEST_LIMIT_REACHED: [429, 'มีการสั่งซื้อจากเครือข่ายเดียวกันจำนวนมาก เข้าสู่ระบบด้วย LINE หรือยืนยันอีเมล เพื่อสั่งซื้อต่อได้ทันที'],
  CONFLICT: [409, 'ข้อมูลถูกเปลี่ยนไปแล้ว กรุณาโหลดใหม่แล้วลองอีกครั้ง'],

  GAME_NOT_FOUND: [404, 'ไม่พบเกมนี้ หรือเกมปิดให้บริการแล้ว'],
  PACKAGE_NOT_FOUND: [404, 'ไม่พบสินค้านี้ กรุณาเลือกแพ็กเกจใหม่'],
  PACKAGE_NOT_ON_SALE: [422, 'สินค้านี้ไม่ได้เปิดขายในขณะนี้ กรุณาเลือกแพ็กเกจใหม่'],
  PLAYER_FIELD_REQUIRED: [422, 'กรุณากรอก {field} ให้ถูกต้อง'],
  PLAYER_NOT_FOUND: [404, 'ไม่พบชื่อผู้เล่นนี้'],
  PLAYER_NOT_CHECKED: [422, 'ตรวจชื่อผู้เล่นของเกมนี้ไม่ได้'],
  PLAYER_LOOKUP_TIMED_OUT: [504, 'ตรวจชื่อผู้เล่นไม่ได้ชั่วคราว'],
  RECEIVING_ACCOUNT_NOT_FOUND: [422, 'บัญชีรับโอนนี้ไม่พร้อมใช้งาน กรุณาเลือกบัญชีอื่น'],
  PAYMENT_METHOD_NOT_ALLOWED: [422, 'ไม่สามารถใช้วิธีชำระเงินนี้ได้ กรุณาเลือกวิธีอื่น'],
  AMOUNT_NOT_FOR_METHOD: [422, 'ไม่สามารถใช้วิธีชำระเงินนี้ได้ กรุณาเลือกวิธีอื่น (รับ {least} ถึง {most} บาท)'],
  GATEWAY_UNAVAILABLE: [503, 'วิธีชำระเงินนี้ไม่พร้อมให้บริการชั่วคราว กรุณาเลือกวิธีอื่น ยังไม่มีการตัดเงิน'],
  GUEST_CHECKOUT_OFF: [401, 'กรุณาเข้าสู่ระบบก่อนสั่งซื้อ'],
  UNPAID_ORDER_EXISTS: [409, 'คุณต้องทำการชำระเงินก่อนทำรายการใหม่'],
  TOO_MANY_UNPAID: [429, 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  AMOUNTS_EXHAUSTED: [429, 'ขณะนี้มีผู้ทำรายการจำนวนมาก กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  ACCOUNT_AMOUNTS_EXHAUSTED: [409, 'บัญชีนี้มีผู้ทำรายการจำนวนมาก กรุณาเลือกบัญชีอื่น'],
  SHOP_HOLDS: [409, 'ร้านพักรับคำสั่งซื้อใหม่ชั่วคราวเพื่อตรวจข้อมูล กรุณากลับมาใหม่ภายหลัง หากยังไม่ได้โอน ไม่ต้องโอน'],
  SOLD_OUT: [409, 'สินค้านี้หมดชั่วคราว กรุณาเลือกแพ็กเกจใหม่'],
  WARNING_NOT_ACCEPTED: [409, 'กรุณาอ่านและยอมรับข้อควรรู้ของสินค้านี้ก่อนชำระเงิน'],
  STOCK_FOR_KNOWN: [409, 'สินค้านี้เหลือน้อย ขายเฉพาะผู้ที่เข้าสู่ระบบด้วย LINE หรืออีเมลที่ยืนยันแล้ว กรุณาเข้าสู่ระบบ หรือเปลี่ยนแพ็กเกจ'],
  STOCK_TOO_LOW: [409, 'สินค้านี้เหลือ {n} ชิ้น กรุณาลดจำนวน'],
  CREDIT_TOO_LOW: [422, 'เครดิตร้านไม่พอ กรุณาตรวจยอดเครดิตแล้วทำรายการใหม่'],
  CREDIT_COVERS_ALL: [422, 'เครดิตร้านพอจ่ายทั้งหมด กรุณาเลือกชำระด้วยเครดิตร้าน'],
  CREDIT_PIN_REQUIRED: [422, 'ใช้เครดิตรวมเกินยอดที่ร้านกำหนดแล้ว กรุณากรอก PIN'],
  CREDIT_PIN_NOT_SET: [422, 'รายการนี้ต้องใช้ PIN กรุณาตั้ง PIN ของเครดิตร้านก่อน'],
  CREDIT_RESTS: [409, 'ร้านเพิ่งตั้งรหัสผ่านหรือ PIN ให้บัญชีนี้ รับเครดิตเป็นเงินโอนได้ตั้งแต่ {time}'],
  CREDIT_UNPROVEN: [403, 'กรุณายืนยันอีเมลหรือเข้าสู่ระบบด้วย LINE ก่อนรับเครดิตร้าน'],
  CREDIT_NOT_BUYERS: [403, 'รายการนี้ซื้อโดยไม่ได้เข้าสู่ระบบ กรุณารับเงินคืนเข้าบัญชีธนาคารที่โอนมา'],
  CREDIT_OFF: [409, 'ร้านยังไม่เปิดให้รับเงินคืนเป็นเครดิต กรุณาแจ้งบัญชีรับเงิน'],
  HOLD_EXPIRED: [409, 'ยอดที่จองไว้หมดเวลาแล้ว กรุณาทำรายการใหม่'],

  PRICE_CHANGED: [409, 'ราคาเปลี่ยนแล้ว กรุณาตรวจสอบอีกครั้ง'],
  TERMS_CHANGED: [409, 'เงื่อนไขการให้บริการมีการเปลี่ยนแปลง กรุณาอ่านและยอมรับอีกครั้ง'],

  ORDER_NOT_FOUND: [404, 'ไม่พบคำสั่งซื้อนี้'],
  ORDER_STATUS_NOT_ALLOWED: [409, 'เปลี่ยนสถานะคำสั่งซื้อนี้ไม่ได้ กรุณาโหลดข้อมูลล่าสุด'],
  ORDER_ALREADY_REPORTED: [409, 'แจ้งโอนเงินแล้ว ไม่สามารถยกเลิกคำสั่งซื้อได้'],
  SAME_PLAYER: [422, 'ข้อมูลผู้เล่นเหมือนเดิม ถ้าถูกต้องแล้ว กด “ขอเงินคืน” หรือติดต่อร้าน'],
  NOTHING_TO_REFUND: [409, 'ไม่มีเงินที่รอโอนคืน หรือร้านโอนคืนไปแล้ว กรุณาโหลดหน้านี้ใหม่'],
  PAYER_NUMBER_DIFFERS: [422, 'เลขนี้ไม่ตรงกับบัญชีที่โอนมา กรุณาตรวจเลขที่บัญชี หรือเลือกรับเข้าบัญชีอื่น'],
  PAYER_NOT_KNOWN: [409, 'ร้านยังไม่ทราบบัญชีที่โอนมา กรุณาแจ้งบัญชีรับเงินพร้อมสลิปที่คุณโอน'],
  REFUND_REASON_NEEDED: [422, 'บัญชีนี้ไม่ใช่บัญชีที่โอนมา กรุณาโหลดหน้านี้ใหม่ แล้วบอกเหตุผล'],
  PAYEE_CHANGED_TOO_OFTEN: [409, 'เปลี่ยนบัญชีรับเงินคืนครบจำนวนครั้งแล้ว กรุณาติดต่อร้าน'],
  TOO_MANY_CORRECTIONS: [409, 'แก้ข้อมูลผู้เล่นของคำสั่งซื้อนี้ครบจำนวนครั้งแล้ว กรุณาติดต่อร้าน'],
  CODES_NOT_SHOWN: [409, 'คำสั่งซื้อนี้ไม่มีรหัสให้ดูในตอนนี้ กรุณาโหลดหน้านี้ใหม่ หรือติดต่อร้าน'],
  CODES_ELSEWHERE: [409, 'ลิงก์นี้ใช้ดูรหัสไม่ได้ กรุณาเปิดด้วยบัญชีหรือเครื่องที่สั่งซื้อ หรือติดต่อร้าน'],
  CODES_NEED_PIN: [422, 'กรุณากรอก PIN เพื่อดูรหัส'],
  NUMBER_WRONG: [422, 'ตัวเลขไม่ถูกต้อง เหลืออีก {n} ครั้ง'],
  NUMBER_OVER: [409, 'ตัวเลขนี้หมดอายุหรือใช้ไม่ได้แล้ว กรุณาขอใหม่'],
  MAIL_NOT_SENT: [503, 'ส่งอีเมลไม่สำเร็จ กรุณาลองอีกครั้งในอีกสักครู่ หรือเปิดดูบนเครื่องที่สั่งซื้อ'],
  REPORT_TOO_LATE: [409, 'เลยกำหนดแจ้งโอนเงินแล้ว กรุณาติดต่อร้าน'],

  SLIP_NOT_IMAGE: [415, 'ไฟล์สลิปต้องเป็นรูปภาพ (JPG, PNG หรือ WebP) ถ้าเป็น HEIC ให้ส่งภาพหน้าจอแทน'],
  SLIP_TOO_LARGE: [413, 'รูปสลิปมีขนาดใหญ่เกินไป (ไม่เกิน 10 MB และ 20 ล้านพิกเซล)'],
  SLIP_NOT_FOUND: [422, 'ไม่พบรูปสลิป กรุณาแนบใหม่อีกครั้ง'],
  SLIP_REUSED: [409, 'สลิปนี้ใช้กับรายการอื่นแล้ว กรุณาแนบสลิปของรายการนี้ หรือติดต่อร้าน'],
  SLIP_IS_PAYMENT_QR: [422, 'รูปนี้เป็น QR สำหรับชำระเงิน กรุณาแนบสลิปหลังโอนเงินแล้ว'],

  PHONE_INVALID: [422, 'กรุณากรอกหมายเลขโทรศัพท์ให้ถูกต้อง'],
  EMAIL_IN_USE: [409, 'อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว เช่น Google หรือ Facebook กรุณาลองอีกครั้ง'],
  SIGN_IN_THEN_LINK: [409, 'อีเมลนี้มีบัญชีอยู่แล้ว กรุณาเข้าสู่ระบบด้วยวิธีเดิม (หรือกดลืมรหัสผ่าน) แล้วเชื่อมต่อช่องทางนี้ในหน้าบัญชีของคุณ'],
  EMAIL_UNPROVEN: [422, 'อีเมลของบัญชีนี้ยังไม่ได้ยืนยัน กรุณาเปิดลิงก์ยืนยันที่ส่งไปทางอีเมลก่อน แล้วลองอีกครั้ง'],
  SIGN_IN_FAILED: [422, 'เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง'],
  SIGN_IN_REPLAYED: [422, 'ลิงก์เข้าสู่ระบบนี้ถูกใช้แล้ว กรุณาเข้าสู่ระบบอีกครั้ง'],
  LINE_UNAVAILABLE: [503, 'ไม่สามารถเชื่อมต่อ LINE ได้ กรุณาลองอีกครั้ง'],
  ALREADY_LINKED: [409, 'บัญชีนี้ถูกเชื่อมกับผู้ใช้อื่นแล้ว'],
  LAST_SIGN_IN_METHOD: [422, 'ต้องมีช่องทางเข้าสู่ระบบอย่างน้อย 1 ช่องทาง'],
  ACCOUNT_IS_LINE: [422, 'บัญชีนี้สร้างจาก LINE จึงยกเลิกการเชื่อมต่อ LINE ไม่ได้'],
  RECENT_SIGN_IN_REQUIRED: [403, 'กรุณาเข้าสู่ระบบอีกครั้งก่อนทำรายการนี้'],
  ERASURE_BARRED: [409, 'ยังลบบัญชีไม่ได้ {why}'],
  ERASURE_OVER: [409, 'คำขอลบข้อมูลนี้จบแล้วหรือกำลังดำเนินการ กรุณาโหลดหน้านี้ใหม่'],
  NO_PASSWORD_SIGN_IN: [422, 'บัญชีนี้ไม่ได้เข้าสู่ระบบด้วยรหัสผ่าน'],
  PASSWORD_SAME: [422, 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านเดิม'],
  WEAK_PASSWORD: [422, 'รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร'],

  PIN_WRONG: [422, 'PIN ไม่ถูกต้อง เหลืออีก {n} ครั้ง'],
  PIN_LOCKED: [423, 'กรอก PIN ผิดหลายครั้ง ลองใหม่ได้ตั้งแต่ {time}'],
  PIN_NEEDS_RESET: [423, 'กรอก PIN ผิดหลายครั้ง PIN ถูกล็อก กรุณาติดต่อร้านเพื่อตั้ง PIN ใหม่'],
  PIN_UNREADABLE: [500, 'ระบบตรวจ PIN นี้ไม่ได้ กรุณาติดต่อร้าน'],
  OLD_PIN_WRONG: [422, 'PIN เดิมไม่ถูกต้อง'],
  ACCESS_UNDECIDED: [409, 'กรุณาโหลดหน้านี้ใหม่ แล้วเลือกว่าจะให้อะไรของบัญชีนี้ใช้ต่อ'],
  PIN_ALREADY_SET: [409, 'บัญชีนี้ตั้ง PIN ไปแล้ว กรุณาโหลดหน้านี้ใหม่'],
  OWNER_CODE_REQUIRED: [403, 'กรุณายืนยันว่าเป็นเจ้าของบัญชี ด้วยรหัสที่ร้านส่งให้ทาง LINE หรืออีเมล'],
  OWNER_CODE_NO_ADDRESS: [409, 'ร้านส่งรหัสไม่ได้ บัญชีนี้ไม่มี LINE หรืออีเมลที่ใช้มาเกิน 24 ชั่วโมง กรุณาเข้าสู่ระบบด้วยวิธีเดิม หรือติดต่อร้าน'],
  OWNER_CODE_NOT_SENT: [503, 'ส่งรหัสไม่สำเร็จ กรุณาลองอีกครั้งในอีกสักครู่'],
  PIN_SAME: [422, 'PIN ใหม่ต้องไม่ซ้ำกับ PIN เดิม'],
  PIN_NOT_SET: [422, 'ยังไม่ได้ตั้ง PIN กรุณาติดต่อแอดมิน'],

  WALLET_NOT_FOUND: [404, 'ยังไม่มีกระเป๋าเงิน กรุณาติดต่อแอดมิน'],
  WALLET_BALANCE_TOO_LOW: [422, 'ยอดเงินในกระเป๋าเงินไม่พอ กรุณาเติมเงิน'],
  ORDER_OVER_TIER_LIMIT: [422, 'ยอดต่อคำสั่งซื้อต้องไม่เกิน {n} บาท'],
  QUANTITY_OVER_TIER_LIMIT: [422, 'ซื้อได้ไม่เกิน {n} ชิ้นต่อคำสั่งซื้อ'],
  TOP_UP_ABOVE_ROOM: [422, 'คุณสามารถเติมเงินได้สูงสุด {n} บาท'],
  TOP_UP_BELOW_MINIMUM: [422, 'คุณสามารถเติมเงินได้ต่ำสุด {n} บาท'],
  TOP_UP_NOT_WAITING: [409, 'รายการนี้ไม่อยู่ในสถานะรออนุมัติแล้ว'],
  TOP_UP_HAS_LINE: [409, 'พบเงินโอนของรายการนี้ในบัญชีร้านแล้ว จึงเปลี่ยนแปลงไม่ได้ ต้องให้ผู้จัดการยกเลิกการจับคู่ก่อน'],

  KEY_TOO_MANY: [409, 'มีคีย์ที่ใช้งานอยู่ครบ {n} คีย์แล้ว กรุณายกเลิกคีย์เก่าก่อน'],
  KEY_ADDRESS_INVALID: [422, 'ที่อยู่ IP ไม่ถูกต้อง: {address} เช่น 203.0.113.0/24'],
  WEBHOOK_TOO_MANY: [409, 'มีปลายทางครบ {n} แห่งแล้ว กรุณาลบปลายทางเก่าก่อน'],
  WEBHOOK_ADDRESS_REFUSED: [422, 'ใช้ที่อยู่นี้ไม่ได้: {why}'],
  WEBHOOK_KEYS_MISSING: [409, 'ร้านยังไม่พร้อมรับปลายทางแจ้งเหตุการณ์ กรุณาติดต่อร้าน'],
  WEBHOOK_IS_OFF: [409, 'ปลายทางนี้ปิดอยู่ กรุณาเปิดก่อน'],

  ...STAFF_ERRORS,
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof catalogue
export type ErrorValues = Record<string, string | number>

/** The JSON body of every failed call. `fields` maps an input path to its Thai message. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  /** Facts that the screen needs to continue, e.g. the numbers of unpaid orders. */
  details?: Record<string, unknown>
  /** Names the request in the server's log. */
  requestId?: string
}

export const ERROR_CODES = keysOf(catalogue)

export function errorStatus(code: ErrorCode): number {
  return catalogue[code][0]
}

export function errorMessage(code: ErrorCode, values: ErrorValues = {}): string {
  return catalogue[code][1].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** An expected failure. Thrown by rules and handlers on the server, and by the client when a call answers with one. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields?: Record<string, string>
  readonly details?: Record<string, unknown>
  /** Seconds until another try is worthwhile; for a 429 with minutes in `values.n`, those minutes. */
  readonly retryAfterSeconds?: number
  /** The request that failed, on the side of who asked. */
  requestId?: string

  constructor(
    code: ErrorCode,
    options: {
      values?: ErrorValues
      fields?: Record<string, string>
      details?: Record<string, unknown>
      retryAfterSeconds?: number
      /** The cause for the server's log; never part of the answer. */
      cause?: unknown
    } = {},
  ) {
    super(errorMessage(code, options.values), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = errorStatus(code)
    this.fields = options.fields
    this.details = options.details
    const minutes = this.status === 429 ? Number(options.values?.n) * 60 : Number.NaN
    this.retryAfterSeconds = options.retryAfterSeconds ?? (Number.isFinite(minutes) ? minutes : undefined)
  }

  toBody(requestId: string | null = null): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.details && { details: this.details }),
      ...(requestId && { requestId }),
    }
  }

  /** Rebuilds the error from a reply body; a code this build does not know shows the general line. */
  static fromBody(status: number, body: unknown): AppError {
    const { code, message, fields, details, requestId } = (body ?? {}) as Partial<ErrorBody>
    const known = code !== undefined && code in catalogue ? code : isAway(status) ? 'UNAVAILABLE' : 'INTERNAL'
    const error = new AppError(known, { fields, details })
    if (known === code && message) error.message = message
    if (requestId) error.requestId = requestId
    return error
  }
}

/** What a front answers by itself while no server is behind it, and a server that is not ready. */
const isAway = (status: number): boolean => [502, 503, 504].includes(status)

/** The first digits are enough to find a request in the log, and short enough to be read out. */
const TOLD_DIGITS = 8

/** The Thai text to show for anything that was thrown. What is the shop's fault has a code that people can tell it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof AppError)) return errorMessage('INTERNAL')
  const { message, requestId, status } = error
  return requestId && status >= 500 ? `${message} (รหัสแจ้งร้าน ${requestId.slice(0, TOLD_DIGITS)})` : message
}

/** Throws when a condition does not hold that always must: that is a bug, never the caller's fault. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`)
}
