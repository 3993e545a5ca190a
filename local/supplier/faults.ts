import type { SupplierName } from '@shop/shared/provider-names.ts'

const EVERYWHERE = {
  slow: 'ตอบช้า',
  hangAfter: 'รับคำสั่งแล้วค้าง',
  hangBefore: 'ค้างโดยไม่รับคำสั่ง',
  reset: 'รับคำสั่งแล้วตัดการเชื่อมต่อ',
  resetBefore: 'ตัดการเชื่อมต่อโดยไม่รับคำสั่ง',
  html: 'รับคำสั่งแล้วตอบเป็นหน้าเว็บ 502',
  cut: 'รับคำสั่งแล้วคำตอบขาดกลางทาง',
  tooMany: 'ถามถี่เกินไป 429',
  repeated: 'รับคำสั่งแล้วบอกว่าเลขอ้างอิงซ้ำ',
  unknownCode: 'รับคำสั่งแล้วตอบรหัสที่ไม่มีในเอกสาร',
  noBalance: 'เงินไม่พอ',
  key: 'รหัสใช้ไม่ได้',
  price: 'ราคาขึ้น',
  gone: 'ไม่มีสินค้านี้แล้ว',
  failed: 'รับคำสั่งแล้วเติมไม่สำเร็จ',
  forever: 'รับคำสั่งแล้วไม่ส่ง',
  lateRefund: 'ส่งแล้ว แต่คืนเงินภายหลัง',
  notFoundTwice: 'ค้าง แล้วหาไม่พบสองครั้ง จึงส่ง',
  lost: 'ค้าง และหาไม่พบตลอด',
  unknownStatus: 'สถานะที่ไม่มีในเอกสาร แล้วจึงส่ง',
  codesLate: 'ส่งแล้ว แต่ยังอ่านรหัสไม่ได้พักหนึ่ง',
  usedCode: 'ส่งรหัสที่เคยขายไปแล้ว',
} as const

const CALLBACKS = {
  callbackFirst: 'แจ้งผลก่อนตอบคำสั่ง',
  callbackTwice: 'แจ้งผลสองครั้ง',
  callbackOrder: 'แจ้งผลสลับลำดับ',
  callbackForged: 'มีผู้ปลอมการแจ้งผล',
  callbackNever: 'ไม่แจ้งผล',
} as const

/** The faults that a purchase can have at each supplier, with their names on the stand-in's page. */
const FAULTS_OF = {
  seagm: { ...EVERYWHERE, ...CALLBACKS, player: 'ไม่พบผู้เล่น', partial: 'ส่งไม่ครบจำนวน' },
  gamesdrop: {
    ...EVERYWHERE,
    player: 'ไม่พบผู้เล่น',
    wrongPrice: 'ราคาขึ้นระหว่างถามกับสั่ง',
    unavailable: 'บริการไม่พร้อมชั่วคราว',
    canceled: 'รับคำสั่งแล้วยกเลิก',
    noSearch: 'ค้าง และถามด้วยเลขอ้างอิงของร้านไม่ได้',
  },
  kinguin: {
    ...EVERYWHERE,
    ...CALLBACKS,
    someKeys: 'ส่งรหัสบางส่วน ที่เหลือคืนเงิน',
    noOffer: 'ไม่มีผู้ขายในราคานี้',
    locked: 'คำสั่งชนกัน',
    canceled: 'รับคำสั่งแล้วยกเลิก',
  },
} as const satisfies Record<SupplierName, Record<string, string>>

type FaultsOf = { [Name in SupplierName]: keyof (typeof FAULTS_OF)[Name] }
export type FaultOf<Name extends SupplierName> = FaultsOf[Name]
export type Fault = FaultsOf[SupplierName]

export const faultsOf = <Name extends SupplierName>(name: Name): FaultOf<Name>[] =>
  Object.keys(FAULTS_OF[name]) as FaultOf<Name>[]

export const faultLabel = (name: SupplierName, fault: Fault): string =>
  (FAULTS_OF[name] as Partial<Record<Fault, string>>)[fault] ?? fault
