/**
 * Every expected failure: stable English code -> HTTP status and the Thai text a person can act on.
 * `{name}` is filled from the error's `values`.
 */
const catalogue = {
  INTERNAL: [500, 'ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'],
  UNAVAILABLE: [503, 'ระบบไม่พร้อมให้บริการชั่วคราว กรุณาลองอีกครั้ง หากโอนเงินแล้ว ไม่ต้องโอนซ้ำ'],
  NOT_FOUND: [404, 'ไม่พบข้อมูลที่ต้องการ'],
  INVALID_INPUT: [400, 'ข้อมูลไม่ถูกต้อง กรุณาตรวจสอบอีกครั้ง'],
  MALFORMED_JSON: [400, 'ข้อมูลที่ส่งมาอ่านไม่ได้ กรุณาลองอีกครั้ง'],
  PAYLOAD_TOO_LARGE: [413, 'ข้อมูลมีขนาดใหญ่เกินไป'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'รูปแบบข้อมูลที่ส่งมาไม่รองรับ กรุณาโหลดหน้านี้ใหม่แล้วลองอีกครั้ง'],
  UNAUTHENTICATED: [401, 'กรุณาเข้าสู่ระบบ'],
  SESSION_REVOKED: [401, 'เซสชันหมดอายุ กรุณาเข้าสู่ระบบอีกครั้ง'],
  SESSION_EXPIRED: [401, 'เข้าสู่ระบบมาครบ 12 ชั่วโมงแล้ว กรุณาเข้าสู่ระบบอีกครั้ง'],
  FORBIDDEN: [403, 'ขออภัย คุณไม่ได้รับอนุญาตให้เข้าถึงหน้านี้'],
  ACCOUNT_INACTIVE: [403, 'บัญชีนี้ถูกระงับการใช้งาน กรุณาติดต่อแอดมิน'],
  PASSWORD_CHANGE_REQUIRED: [403, 'กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน'],
  PIN_CHANGE_REQUIRED: [403, 'กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน'],
  LINE_NOT_ALLOWED: [403, 'ผู้จัดการและผู้ดูแลระบบเข้าสู่ระบบด้วย LINE ไม่ได้ กรุณาใช้อีเมลหรือ Google'],
  TOTP_REQUIRED: [403, 'กรุณายืนยันตัวตนด้วยรหัส 6 หลักจากแอปยืนยันตัวตน'],
  RATE_LIMITED: [429, 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  IDEMPOTENCY_KEY_REQUIRED: [400, 'คำขอไม่สมบูรณ์ กรุณาโหลดหน้านี้ใหม่แล้วลองอีกครั้ง'],
  IDEMPOTENCY_KEY_REUSED: [409, 'คำขอนี้ถูกใช้กับรายการอื่นแล้ว กรุณาโหลดหน้านี้ใหม่แล้วลองอีกครั้ง'],
  CONFLICT: [409, 'ข้อมูลถูกเปลี่ยนไปแล้ว กรุณาโหลดใหม่แล้วลองอีกครั้ง'],

  GAME_NOT_FOUND: [404, 'ไม่พบเกมนี้ หรือเกมปิดให้บริการแล้ว'],
  PACKAGE_NOT_FOUND: [404, 'ไม่พบแพ็กเกจนี้ กรุณาเลือกแพ็กเกจใหม่'],
  PACKAGE_NOT_ON_SALE: [422, 'แพ็กเกจนี้ไม่ได้เปิดขายในขณะนี้ กรุณาเลือกแพ็กเกจอื่น'],
  PLAYER_FIELD_REQUIRED: [422, 'กรุณากรอก {field} ให้ถูกต้อง'],
  PLAYER_NOT_FOUND: [404, 'ไม่พบชื่อผู้เล่นนี้'],
  PLAYER_LOOKUP_TIMED_OUT: [504, 'ไม่พบชื่อผู้เล่นนี้'],
  RECEIVING_ACCOUNT_NOT_FOUND: [422, 'บัญชีรับโอนนี้ไม่พร้อมใช้งาน กรุณาเลือกบัญชีอื่น'],
  PAYMENT_METHOD_NOT_ALLOWED: [422, 'ไม่สามารถใช้วิธีชำระเงินนี้ได้ กรุณาเลือกวิธีอื่น'],
  GUEST_CHECKOUT_OFF: [401, 'กรุณาเข้าสู่ระบบก่อนสั่งซื้อ'],
  UNPAID_ORDER_EXISTS: [409, 'คุณต้องทำการชำระเงินก่อนทำรายการใหม่'],
  TOO_MANY_UNPAID: [429, 'ทำรายการบ่อยเกินไป กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  AMOUNTS_EXHAUSTED: [429, 'ขณะนี้มีผู้ทำรายการจำนวนมาก กรุณาลองใหม่อีกครั้งใน {n} นาที'],
  ACCOUNT_AMOUNTS_EXHAUSTED: [409, 'บัญชีนี้มีผู้ทำรายการจำนวนมาก กรุณาเลือกบัญชีอื่น'],
  HOLD_EXPIRED: [409, 'ยอดที่จองไว้หมดเวลาแล้ว กรุณาทำรายการใหม่'],

  TERMS_CHANGED: [409, 'เงื่อนไขการให้บริการมีการเปลี่ยนแปลง กรุณาอ่านและยอมรับอีกครั้ง'],

  GAME_CODE_TAKEN: [409, 'รหัสเกม {code} ซ้ำ'],
  PRICE_INVALID: [422, 'ข้อมูลราคาไม่ถูกต้อง กรุณาตรวจสอบอีกครั้ง'],
  PRICE_BELOW_DISCOUNT: [422, 'ราคานี้ต่ำกว่าส่วนลดของ {tiers} กรุณาแก้ส่วนลดก่อน'],
  TAG_IN_USE: [409, 'ลบไม่ได้ ยังมีเกมที่ใช้อยู่: {games}'],
  PICTURE_NOT_IMAGE: [415, 'ไฟล์ต้องเป็นรูปภาพ (JPG, PNG หรือ WebP)'],
  PICTURE_TOO_LARGE: [413, 'รูปมีขนาดใหญ่เกินไป (ไม่เกิน 10 MB และ 20 ล้านพิกเซล)'],
  LAST_RECEIVING_ACCOUNT: [422, 'ต้องมีบัญชีรับโอนที่ใช้งานอย่างน้อยหนึ่งบัญชี'],
  OPTION_INVALID: [422, 'ค่าที่ตั้งไม่ถูกต้อง กรุณาตรวจสอบอีกครั้ง'],
  IMPORT_INVALID: [422, 'ไฟล์นี้อ่านไม่ได้ ต้องเป็น CSV ที่มีหัวตารางเหมือนไฟล์ที่ดาวน์โหลด'],
  UNDO_NOT_POSSIBLE: [409, 'ย้อนกลับไม่ได้ รายการนี้ถูกแก้ไขอีกครั้งแล้ว'],

  ORDER_NOT_FOUND: [404, 'ไม่พบคำสั่งซื้อนี้'],
  ORDER_STATUS_NOT_ALLOWED: [409, 'เปลี่ยนสถานะคำสั่งซื้อนี้ไม่ได้ กรุณาโหลดข้อมูลล่าสุด'],
  ORDER_ALREADY_REPORTED: [409, 'แจ้งโอนเงินแล้ว ไม่สามารถยกเลิกคำสั่งซื้อได้'],
  ORDER_CLAIMED_BY_OTHER: [409, 'คำสั่งซื้อนี้มีผู้รับเรื่องแล้ว'],
  REASON_REQUIRED: [422, 'กรุณาระบุเหตุผล'],
  OWN_ORDER: [403, 'ทำรายการกับคำสั่งซื้อของตนเองไม่ได้ กรุณาให้ผู้อื่นดำเนินการ'],
  REPORT_TOO_LATE: [409, 'เลยกำหนดแจ้งโอนเงินแล้ว กรุณาติดต่อร้าน'],
  SAME_AMOUNT_ORDER: [409, 'คำสั่งซื้อ {orderNo} ใช้ยอดโอนเดียวกันอยู่ กรุณาตรวจว่าเงินเป็นของรายการใด แล้วยืนยันอีกครั้ง'],
  DELIVERY_REFERENCE_REQUIRED: [422, 'กรุณาระบุเลขอ้างอิงการเติม'],

  SLIP_NOT_IMAGE: [415, 'ไฟล์สลิปต้องเป็นรูปภาพ (JPG, PNG หรือ WebP)'],
  SLIP_TOO_LARGE: [413, 'รูปสลิปมีขนาดใหญ่เกินไป (ไม่เกิน 10 MB)'],
  SLIP_NOT_FOUND: [422, 'ไม่พบรูปสลิป กรุณาแนบใหม่อีกครั้ง'],
  SLIP_REUSED: [409, 'สลิปนี้เคยใช้แล้ว กรุณาแนบสลิปของรายการนี้'],
  SLIP_IS_PAYMENT_QR: [422, 'รูปนี้เป็น QR สำหรับชำระเงิน กรุณาแนบสลิปหลังโอนเงินแล้ว'],

  STATEMENT_UNREADABLE: [422, 'อ่านไฟล์นี้ไม่ได้ กรุณาใช้ไฟล์ CSV หรือ Excel (.xlsx) ที่ดาวน์โหลดจากธนาคาร'],
  STATEMENT_TOO_LARGE: [413, 'ไฟล์มีขนาดใหญ่เกินไป (ไม่เกิน 20 MB และ 200,000 แถว) กรุณาแบ่งช่วงวันที่แล้วลองอีกครั้ง'],
  STATEMENT_INVALID: [422, 'มีแถวที่อ่านไม่ได้ {n} แถว ยังไม่มีการนำเข้า กรุณาแก้ไฟล์หรือเลือกคอลัมน์ใหม่'],
  STATEMENT_OTHER_ACCOUNT: [422, 'ไฟล์นี้เป็นของบัญชีที่ลงท้ายด้วย {digits} ไม่ใช่บัญชีที่เลือก กรุณาเลือกบัญชีให้ตรงกับไฟล์'],
  STATEMENT_OTHER_BANK: [
    422,
    'ไฟล์นี้เป็นรูปแบบของธนาคาร{bank} ไม่ใช่ธนาคารของบัญชีที่เลือก กรุณาเลือกบัญชีให้ตรงกับไฟล์ หรือเลือกคอลัมน์เองหากไฟล์ถูกต้องแล้ว',
  ],
  STATEMENT_EMPTY: [422, 'ไฟล์นี้ว่างเปล่า กรุณาดาวน์โหลดจากธนาคารใหม่'],
  STATEMENT_PERIOD_INVALID: [422, 'เลือกได้เฉพาะช่วงวันที่ใน 3 เดือนล่าสุด'],
  LINE_STEP_NOT_ALLOWED: [409, 'รายการเงินเข้านี้ถูกดำเนินการไปแล้ว กรุณาโหลดข้อมูลล่าสุด'],
  LINE_TARGET_TAKEN: [409, 'รายการนี้จับคู่กับเงินเข้ารายการอื่นแล้ว'],
  OVERPAID_CHOICE_REQUIRED: [422, 'เงินเข้าเกินยอด กรุณาเลือกว่าจะทำอย่างไรกับส่วนที่เกิน'],
  CREDIT_NEEDS_TWO: [422, 'ยอดนี้ต้องอนุมัติสองคน กรุณาเพิ่มรายการเติมเงินให้ตัวแทน แล้วจับคู่เงินเข้ากับรายการนั้น'],
  REFUND_SENT: [409, 'เงินส่วนนี้โอนคืนลูกค้าแล้ว จึงยกเลิกการจับคู่ไม่ได้'],
  FEED_KEY_INVALID: [401, 'คีย์ไม่ถูกต้องหรือถูกยกเลิกแล้ว'],
  STATEMENT_KIND: [422, 'ไฟล์นี้เป็น {kind} อ่านไม่ได้ {advice}'],
  STATEMENT_ENCRYPTED: [422, 'ไฟล์นี้ใส่รหัสผ่านไว้ กรุณาเปิดด้วยรหัสผ่าน บันทึกใหม่โดยไม่มีรหัสผ่าน แล้วลองอีกครั้ง'],
  STATEMENT_CUT_OFF: [422, 'ไฟล์ไม่ครบ ขาดหายไปที่แถว {n} กรุณาดาวน์โหลดจากธนาคารใหม่'],
  STATEMENT_GARBLED: [422, 'ตัวอักษรที่แถว {n} เพี้ยน กรุณาใช้ไฟล์จากธนาคารโดยตรง ไม่ต้องเปิดและบันทึกใหม่'],

  PHONE_INVALID: [422, 'Phone number is not valid'],
  EMAIL_IN_USE: [409, 'อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว เช่น Google หรือ Facebook กรุณาลองอีกครั้ง'],
  SIGN_IN_THEN_LINK: [409, 'อีเมลนี้มีบัญชีอยู่แล้ว กรุณาเข้าสู่ระบบด้วยวิธีเดิม (หรือกดลืมรหัสผ่าน) แล้วเชื่อมต่อช่องทางนี้ในหน้าบัญชีของคุณ'],
  EMAIL_UNPROVEN: [422, 'อีเมลของบัญชีนี้ยังไม่ได้ยืนยัน กรุณาเปิดลิงก์ยืนยันที่ส่งไปทางอีเมลก่อน แล้วลองอีกครั้ง'],
  SIGN_IN_FAILED: [422, 'เข้าสู่ระบบไม่สำเร็จ กรุณาลองอีกครั้ง'],
  SIGN_IN_REPLAYED: [422, 'ลิงก์เข้าสู่ระบบนี้ถูกใช้แล้ว กรุณาเข้าสู่ระบบอีกครั้ง'],
  LINE_UNAVAILABLE: [503, 'ไม่สามารถเชื่อมต่อ LINE ได้ กรุณาลองอีกครั้ง'],
  ALREADY_LINKED: [409, 'บัญชีนี้ถูกเชื่อมกับผู้ใช้อื่นแล้ว'],
  LAST_SIGN_IN_METHOD: [422, 'ต้องมีช่องทางเข้าสู่ระบบอย่างน้อยหนึ่งช่องทาง'],
  ACCOUNT_IS_LINE: [422, 'บัญชีนี้สร้างจาก LINE จึงยกเลิกการเชื่อมต่อ LINE ไม่ได้'],
  RECENT_SIGN_IN_REQUIRED: [403, 'กรุณาเข้าสู่ระบบอีกครั้งก่อนทำรายการนี้'],
  NO_PASSWORD_SIGN_IN: [422, 'บัญชีนี้ไม่ได้เข้าสู่ระบบด้วยรหัสผ่าน'],
  PASSWORD_SAME: [422, 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านเดิม'],
  WEAK_PASSWORD: [422, 'รหัสผ่านต้องมีอย่างน้อย 8 ตัวอักษร'],
  ROLE_NOT_ASSIGNABLE: [403, 'คุณไม่มีสิทธิ์กำหนดบทบาทนี้'],

  PIN_WRONG: [422, 'PIN ไม่ถูกต้อง เหลืออีก {n} ครั้ง'],
  PIN_LOCKED: [423, 'กรอก PIN ผิดครบ 5 ครั้ง ลองใหม่ได้เวลา {time}'],
  OLD_PIN_WRONG: [422, 'PIN เดิมไม่ถูกต้อง'],
  PIN_SAME: [422, 'PIN ใหม่ต้องไม่ซ้ำกับ PIN เดิม'],
  PIN_NOT_SET: [422, 'ยังไม่ได้ตั้ง PIN กรุณาติดต่อแอดมิน'],

  TOTP_WRONG: [422, 'รหัสยืนยันไม่ถูกต้อง เหลืออีก {n} ครั้ง'],
  TOTP_LOCKED: [423, 'กรอกรหัสยืนยันผิดครบ 5 ครั้ง ลองใหม่ได้เวลา {time}'],
  TOTP_NOT_ENROLLED: [422, 'ยังไม่ได้ตั้งค่าแอปยืนยันตัวตน กรุณาตั้งค่าก่อน'],

  WALLET_NOT_FOUND: [404, 'ยังไม่มีกระเป๋าเงิน กรุณาติดต่อแอดมิน'],
  WALLET_BALANCE_TOO_LOW: [422, 'ยอดเงินใน Wallet ไม่พอ กรุณาเติมเงิน'],
  ORDER_OVER_TIER_LIMIT: [422, 'ยอดต่อคำสั่งซื้อต้องไม่เกิน {n} บาท'],
  QUANTITY_OVER_TIER_LIMIT: [422, 'ซื้อได้ไม่เกิน {n} ชิ้นต่อคำสั่งซื้อ'],
  TOP_UP_ABOVE_ROOM: [422, 'คุณสามารถเติมเงินได้สูงสุด {n} บาท'],
  TOP_UP_BELOW_MINIMUM: [422, 'คุณสามารถเติมเงินได้ต่ำสุด {n} บาท'],
  TOP_UP_NOT_WAITING: [409, 'รายการนี้ไม่อยู่ในสถานะรออนุมัติแล้ว'],
  TOP_UP_NEEDS_SLIP: [422, 'ต้องมีหลักฐานการชำระเงิน ถึงจะอนุมัติได้'],
  TOP_UP_OWN_ENTRY: [403, 'ผู้บันทึกรายการอนุมัติรายการของตนเองไม่ได้'],
  TOP_UP_NEEDS_SECOND_APPROVER: [403, 'ยอดนี้ต้องมีผู้อนุมัติสองคน กรุณาให้ผู้จัดการอีกคนอนุมัติ'],
  TOP_UP_HAS_LINE: [409, 'พบเงินโอนของรายการนี้ในบัญชีร้านแล้ว จึงเปลี่ยนแปลงไม่ได้ ต้องให้ผู้จัดการยกเลิกการจับคู่ก่อน'],
  TOP_UP_RECENT_RESET: [403, 'คุณเพิ่งตั้งรหัสผ่านหรือ PIN ให้ผู้บันทึกหรือผู้อนุมัติคนแรกของรายการนี้ กรุณาให้ผู้จัดการคนอื่นอนุมัติ'],
  TIER_NOT_FOUND: [422, 'กรุณาเลือก Tier'],
  AGENT_NOT_FOUND: [404, 'ไม่พบ Agent'],
  DISCOUNT_ABOVE_PRICE: [422, 'ส่วนลดต้องไม่เกินราคาขาย'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof catalogue
export type ErrorValues = Record<string, string | number>

/** The JSON body of every failed call. `fields` maps an input path to its Thai message. */
export interface ErrorBody {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  /** Facts the screen needs to go on, e.g. the unpaid order numbers. */
  details?: Record<string, unknown>
}

export const ERROR_CODES = Object.keys(catalogue) as ErrorCode[]

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
  /** When it is worth trying again; of a 429 that names minutes in `values.n`, those. */
  readonly retryAfterSeconds?: number

  constructor(
    code: ErrorCode,
    options: {
      values?: ErrorValues
      fields?: Record<string, string>
      details?: Record<string, unknown>
      retryAfterSeconds?: number
      /** What the server logs; never part of the answer. */
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

  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.fields && { fields: this.fields }),
      ...(this.details && { details: this.details }),
    }
  }

  /** Rebuilds the error from a reply body; a code this build does not know shows the general line. */
  static fromBody(status: number, body: unknown): AppError {
    const { code, message, fields, details } = (body ?? {}) as Partial<ErrorBody>
    const known = code !== undefined && code in catalogue ? code : status === 503 ? 'UNAVAILABLE' : 'INTERNAL'
    const error = new AppError(known, { fields, details })
    if (known === code && message) error.message = message
    return error
  }
}

/** The Thai text to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof AppError ? error.message : errorMessage('INTERNAL')
}

/** Crashes the request when something that must hold does not: a bug, never the caller's fault. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${what}`)
}
