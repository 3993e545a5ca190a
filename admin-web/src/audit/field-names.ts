import { PAYMENT_METHOD } from '@shop/shared/catalogue/catalogue.ts'

const PAYMENTS = Object.fromEntries(Object.entries(PAYMENT_METHOD).map(([code, { name }]) => [code, name]))

/** What staff call the fields that the log keeps; any other stands there by its own name. */
const FIELD_NAME: Record<string, string> = {
  ...PAYMENTS,
  accountName: 'ชื่อบัญชี',
  accountNo: 'เลขที่บัญชี',
  body: 'ข้อความ',
  branch: 'สาขา',
  code: 'รหัส',
  costSatang: 'ต้นทุน',
  deliveryReference: 'เลขอ้างอิงการเติม',
  desc: 'คำอธิบาย',
  description: 'คำอธิบาย',
  endDay: 'วันหมดอายุ',
  from: 'จาก',
  gameId: 'เลขที่เกม',
  fieldFormats: 'รูปแบบข้อมูลผู้เล่น',
  fieldLabels: 'ข้อมูลผู้เล่น',
  isActive: 'ใช้งาน',
  isAutomatic: 'เติมอัตโนมัติ',
  supplierSku: 'สินค้าของผู้จำหน่าย',
  isOn: 'เปิดใช้',
  lowBalanceSatang: 'เตือนเมื่อเงินต่ำกว่า',
  languages: 'ภาษา',
  methods: 'วิธีชำระเงิน',
  name: 'ชื่อ',
  nextDay: 'วันเริ่มราคาล่วงหน้า',
  nextPriceSatang: 'ราคาล่วงหน้า',
  picture: 'รูป',
  platforms: 'แพลตฟอร์ม',
  playerCheck: 'ตรวจชื่อผู้เล่น',
  playerHint: 'คำแนะนำ',
  playerHintPicture: 'รูปคำแนะนำ',
  priceSatang: 'ราคา',
  promptPayId: 'PromptPay',
  qmsGameId: 'เกมใน QMS',
  reason: 'เหตุผล',
  regions: 'ภูมิภาค',
  role: 'บทบาท',
  searchWords: 'คำค้นหา',
  startDay: 'วันเริ่มจำหน่าย',
  status: 'สถานะ',
  tags: 'รายการ',
  to: 'ถึง',
  usualMinutes: 'เวลาเติมปกติ (นาที)',
  value: 'ค่า',
  version: 'ฉบับที่',
}

/** A field of the log in words: "bank.priceSatang" is "โอนเงินธนาคาร · ราคา". */
export const fieldName = (field: string): string =>
  field
    .split('.')
    .map(name => (Object.hasOwn(FIELD_NAME, name) ? FIELD_NAME[name] : name))
    .join(' · ')
