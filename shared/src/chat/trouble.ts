import type { StaffPage } from '../staff-pages.ts'

interface TroubleEntry {
  title: string
  /** What to do about it. */
  advice: string
  /** The page where it is done. */
  page: StaffPage
}

/** Problems that only a manager can solve. Each is reported once every time that it begins. */
export const TROUBLE = {
  moneyWithoutLine: {
    title: 'เงินที่รับแล้วไม่มีในบัญชีธนาคาร',
    advice: 'เงินที่รับตามสลิปหรือตามคำยืนยันของทีมงานต้องมีรายการธนาคารภายในสองวัน กรุณาตรวจกับธนาคาร',
    page: 'reconciliation',
  },
  chainBroken: {
    title: 'ยอดคงเหลือของบัญชีธนาคารไม่ต่อกัน',
    advice: 'ระบบไม่จับคู่รายการเหล่านี้เอง กรุณานำเข้าไฟล์ของช่วงที่ขาด หรือตรวจกับธนาคารทีละรายการ',
    page: 'statement',
  },
  linesDisputed: {
    title: 'รายการของคีย์ที่เพิกถอนไม่ได้',
    advice: 'ของถึงลูกค้า เงินถูกใช้ หรือคืนไปแล้ว กรุณาตรวจทีละรายการ',
    page: 'statement',
  },
  slipStopped: {
    title: 'บริการตรวจสลิปหยุดรับ',
    advice: 'สลิปใหม่จะรอทีมงานตรวจเอง กรุณาตรวจแพ็กเกจหรือคีย์ของบริการ',
    page: 'appconfig',
  },
  slipQuotaLow: { title: 'โควตาตรวจสลิปใกล้หมด', advice: 'เมื่อหมด สลิปจะรอทีมงานตรวจเองจนสิ้นเดือน', page: 'appconfig' },
  supplierStopped: {
    title: 'ผู้จำหน่ายหยุดรับคำสั่ง',
    advice: 'คำสั่งซื้ออัตโนมัติรออยู่ กรุณาแก้ที่ผู้จำหน่ายแล้วเปิดใช้อีกครั้ง',
    page: 'appconfig',
  },
  supplierBalanceLow: {
    title: 'เงินที่ผู้จำหน่ายใกล้หมด',
    advice: 'กรุณาเติมเงินให้ผู้จำหน่ายก่อนคำสั่งซื้ออัตโนมัติหยุด',
    page: 'appconfig',
  },
  supplierContradiction: {
    title: 'ผลจากผู้จำหน่ายขัดกับที่บันทึกไว้',
    advice: 'ของอาจถึงลูกค้าซ้ำ หรือคืนเงินไปแล้วแต่ของถึง กรุณาตรวจทีละรายการ',
    page: 'queue',
  },
  codesLow: {
    title: 'รหัสใกล้หมดสต็อก',
    advice: 'เมื่อหมด ร้านจะแสดงว่าสินค้าหมด กรุณานำเข้ารหัสเพิ่ม',
    page: 'codes',
  },
  codesExpiring: {
    title: 'รหัสใกล้หมดอายุ',
    advice: 'รหัสที่หมดอายุแล้วจะไม่ถูกขาย กรุณาตรวจว่าขายทันหรือขอเปลี่ยนกับผู้ขาย',
    page: 'codes',
  },
  costAbovePrice: {
    title: 'หยุดขายแพ็กเกจที่ต้นทุนเกินราคา',
    advice: 'กรุณาขึ้นราคา หรือให้ผู้จัดการอีกคนยืนยันราคาที่ขาดทุน แพ็กเกจกลับมาขายเองเมื่อไม่ขาดทุน',
    page: 'costs',
  },
  costDoubted: {
    title: 'ต้นทุนจากผู้จำหน่ายลดลงผิดปกติ',
    advice: 'ระบบยังใช้ต้นทุนเดิม กรุณาตรวจกับผู้จำหน่าย แล้วแก้ต้นทุนของแพ็กเกจเองหากถูกต้อง',
    page: 'costs',
  },
  rateOld: {
    title: 'อัตราแลกเปลี่ยนเก่าหรือยังไม่มี',
    advice: 'ต้นทุนของสินค้าในสกุลเงินนี้อาจไม่ตรง กรุณากรอกอัตราใหม่',
    page: 'costs',
  },
  chatQuotaLow: {
    title: 'โควตาข้อความ LINE ใกล้เต็ม',
    advice: 'ระบบรวมข้อความถึงทีมงานเป็นสรุป และเว้นข้อความที่ไม่จำเป็นจนสิ้นเดือน',
    page: 'chat',
  },
  chatRoomLost: {
    title: 'ร้านถูกนำออกจากกลุ่ม LINE',
    advice: 'กลุ่มนั้นไม่ได้รับแจ้งอะไรอีก เชิญร้านเข้ากลุ่มแล้วผูกใหม่ คำสั่งซื้อที่รอเติมจะแจ้งให้ครบ',
    page: 'chat',
  },
  chatDead: { title: 'มีข้อความ LINE ที่ส่งไม่สำเร็จ', advice: 'เปิดหน้าการแจ้งเตือน LINE เพื่อดูสาเหตุและส่งอีกครั้ง', page: 'chat' },
  mailDead: {
    title: 'มีอีเมลถึงเจ้าของบัญชีที่ส่งไม่สำเร็จ',
    advice: 'เปิดหน้าการแจ้งเตือน LINE เพื่อดูสาเหตุและส่งอีกครั้ง หรือแจ้งเจ้าของบัญชีด้วยตัวเอง',
    page: 'chat',
  },
} as const satisfies Record<string, TroubleEntry>
export type TroubleKind = keyof typeof TROUBLE
export const TROUBLE_KINDS = Object.keys(TROUBLE) as TroubleKind[]
