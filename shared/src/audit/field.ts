import { isKeyOf, isOneOf } from '../table.ts'

/** Kinds of things that are stored by id and shown by name. */
export const AUDIT_REFERENCES = ['account', 'tier', 'wallet', 'receivingAccount', 'game'] as const
export type AuditReference = (typeof AUDIT_REFERENCES)[number]

/** How a value is shown when not as it is stored. */
type Meaning = AuditReference | 'bank' | 'code' | 'gateway' | 'phone' | 'playerChecks' | 'provider'

/** The field's name for staff, and how its value is shown. */
type FieldEntry = readonly [name: string, told?: Meaning]

/** The table of all fields that the log stores. */
export const AUDIT_FIELD = {
  accountName: ['ชื่อบัญชี'],
  accountNameEn: ['ชื่อบัญชีภาษาอังกฤษ'],
  accountNo: ['เลขที่บัญชี'],
  amountSatang: ['จำนวนเงิน'],
  baht: ['อัตรา (บาทต่อหน่วย)'],
  balanceSatang: ['ยอดคงเหลือ'],
  bank: ['โอนเงินธนาคาร'],
  bankAccount: ['เลขที่บัญชีธนาคาร'],
  bankCode: ['ธนาคาร', 'bank'],
  body: ['ข้อความ'],
  branch: ['สาขา'],
  choices: ['ตัวเลือก'],
  code: ['รหัส'],
  correctedAt: ['แก้รายการเมื่อ'],
  costSatang: ['ต้นทุน'],
  delivers: ['ส่งให้ลูกค้าเป็น', 'code'],
  deliveryReference: ['เลขอ้างอิงการเติม'],
  desc: ['คำอธิบาย'],
  description: ['คำอธิบาย'],
  differenceSatang: ['ผลต่างจากยอดที่ต้องชำระ'],
  discountSatang: ['ส่วนลด'],
  email: ['อีเมล'],
  endDay: ['วันหมดอายุ'],
  expiresAt: ['หมดอายุ'],
  familyName: ['นามสกุล'],
  feeSatang: ['ค่าธรรมเนียม'],
  fieldFormats: ['รูปแบบข้อมูลผู้เล่น'],
  fieldLabels: ['ข้อมูลผู้เล่น'],
  fieldsOn: ['ช่องข้อมูลผู้เล่นที่เปิด'],
  fileName: ['ไฟล์'],
  firstApprovedBy: ['ผู้อนุมัติคนแรก', 'account'],
  followsCost: ['ต้นทุนตามผู้จำหน่าย'],
  from: ['จาก'],
  gameId: ['เกม', 'game'],
  gateway: ['ผู้ให้บริการรับชำระ', 'gateway'],
  givenName: ['ชื่อ'],
  groupName: ['กลุ่ม LINE'],
  imported: ['รายการใหม่'],
  isActive: ['ใช้งาน'],
  isAutomatic: ['เติมอัตโนมัติ'],
  isOn: ['เปิดใช้'],
  kind: ['ชนิด', 'code'],
  known: ['รายการที่มีอยู่แล้ว'],
  lastFour: ['รหัสลงท้าย'],
  languages: ['ภาษา'],
  leastSatang: ['ยอดต่ำสุด'],
  leftTo: ['เก็บของบัญชีเดิมไว้ที่'],
  lockedUntil: ['ล็อกถึง'],
  locks: ['ล็อกติดกันครั้งที่'],
  lowBalanceSatang: ['เตือนเมื่อเงินต่ำกว่า'],
  lowStock: ['เตือนเมื่อเหลือน้อยกว่า (ชิ้น)'],
  max: ['ยาวสุด'],
  maxAmountPerOrderSatang: ['ยอดสูงสุดต่อคำสั่งซื้อ'],
  maxAmountSatang: ['วงเงินสูงสุด'],
  maxItemPerOrder: ['จำนวนชิ้นสูงสุดต่อคำสั่งซื้อ'],
  methods: ['วิธีชำระเงิน'],
  min: ['สั้นสุด'],
  minTopUpSatang: ['เติมเงินขั้นต่ำ'],
  mostSatang: ['ยอดสูงสุด'],
  mustChangePassword: ['ต้องเปลี่ยนรหัสผ่าน'],
  mustChangePin: ['ต้องเปลี่ยน PIN'],
  name: ['ชื่อ'],
  nextDay: ['วันเริ่มราคาล่วงหน้า'],
  nextPriceSatang: ['ราคาล่วงหน้า'],
  no: ['เลขที่รายการ'],
  openingHours: ['เวลาที่ใช้ได้'],
  orderNo: ['คำสั่งซื้อ'],
  orderStatus: ['สถานะคำสั่งซื้อ', 'code'],
  phone: ['โทรศัพท์', 'phone'],
  picture: ['รูป'],
  pieces: ['จำนวน'],
  platforms: ['แพลตฟอร์ม'],
  playerCheck: ['ตรวจชื่อผู้เล่น'],
  playerChecks: ['ตรวจชื่อผู้เล่นกับ', 'playerChecks'],
  playerHint: ['คำแนะนำ'],
  playerHintPicture: ['รูปคำแนะนำ'],
  playerId: ['Player ID'],
  priceSatang: ['ราคา'],
  promptPayId: ['PromptPay'],
  providers: ['วิธีเข้าสู่ระบบ', 'provider'],
  qmsGameId: ['เกมใน QMS'],
  quantity: ['จำนวน (ชิ้น)'],
  reason: ['เหตุผล'],
  receivingAccountId: ['บัญชีร้าน', 'receivingAccount'],
  redeemHelp: ['วิธีใช้รหัส'],
  reference: ['เลขอ้างอิง'],
  regions: ['ภูมิภาค'],
  role: ['บทบาท', 'code'],
  rules: ['กฎราคา'],
  searchWords: ['คำค้นหา'],
  sources: ['แหล่งสินค้า ตามลำดับ'],
  startDay: ['วันเริ่มจำหน่าย'],
  state: ['สถานะ', 'code'],
  status: ['สถานะ', 'code'],
  step: ['การตัดสินใจ', 'code'],
  stoppedFor: ['หยุดเพราะ', 'code'],
  supplierSku: ['สินค้าของผู้จำหน่าย'],
  surchargeBasisPoints: ['ค่าบริการ (1 = 0.01%)'],
  surchargeSatang: ['ค่าบริการคงที่'],
  tags: ['รายการ'],
  target: ['จับคู่กับ'],
  stuck: ['เพิกถอนไม่ได้'],
  tierId: ['Tier', 'tier'],
  to: ['ถึง'],
  uid: ['รหัสผู้ใช้'],
  username: ['ชื่อที่แสดง'],
  undone: ['ย้อนผลแล้ว'],
  usualMinutes: ['เวลาเติมปกติ (นาที)'],
  value: ['ค่า'],
  version: ['ฉบับที่'],
  wallet: ['Wallet'],
  voided: ['เพิกถอนแล้ว'],
  walletId: ['กระเป๋าเงินของ', 'wallet'],
  warning: ['คำเตือนก่อนจ่าย'],
} as const satisfies Record<string, FieldEntry>

export type AuditField = keyof typeof AUDIT_FIELD

/** Returns a field's entry; undefined for a key that comes from the data, like the place of a row. */
export const auditFieldOf = (name: string): FieldEntry | undefined =>
  isKeyOf(AUDIT_FIELD, name) ? AUDIT_FIELD[name] : undefined

const TIER = /^tier:\d{1,9}$/

/** Returns the `noun:id` of everything that one side of an entry names by id. */
export function referencesOf(side: unknown): string[] {
  if (side === null || typeof side !== 'object' || Array.isArray(side)) return []
  return Object.entries(side).flatMap(([name, value]) => {
    if (TIER.test(name)) return [name]
    const told = auditFieldOf(name)?.[1]
    const isNamed = isOneOf(AUDIT_REFERENCES, told)
    return isNamed && (typeof value === 'string' || typeof value === 'number') ? [`${told}:${value}`] : []
  })
}
