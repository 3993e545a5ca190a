import type { Action } from '../permissions.ts'
import { keysOf } from '../table.ts'

interface Subject {
  /** Its name for staff. */
  name: string
  /** The permission to restore its earlier state, or why nobody can, in words that end a sentence. */
  undo: Action | { whyNot: string }
}

const notOfCatalogue = { whyNot: 'ย้อนได้เฉพาะแคตตาล็อกและการตั้งค่าร้าน' }

/** The things that the back office writes about: the noun before the colon of an audit entry's subject. */
const SUBJECT = {
  account: { name: 'ผู้ใช้', undo: notOfCatalogue },
  tier: { name: 'Tier', undo: 'agent.manage' },
  discount: { name: 'ส่วนลด', undo: 'agent.manage' },
  game: { name: 'เกม', undo: 'catalogue.manage' },
  gameOrder: { name: 'ลำดับเกม', undo: 'catalogue.manage' },
  gameTag: { name: 'ตัวกรองเกม', undo: 'catalogue.manage' },
  package: { name: 'แพ็กเกจ', undo: 'catalogue.manage' },
  packageOrder: { name: 'ลำดับแพ็กเกจ', undo: 'catalogue.manage' },
  price: { name: 'ราคา', undo: 'catalogue.manage' },
  priceRule: { name: 'กฎราคา', undo: 'catalogue.manage' },
  rate: { name: 'อัตราแลกเปลี่ยน', undo: { whyNot: 'ต้องกรอกอัตราใหม่ในหน้าต้นทุน' } },
  paymentMethod: { name: 'วิธีชำระเงิน', undo: 'settings.pay' },
  receivingAccount: { name: 'บัญชีรับโอน', undo: 'settings.pay' },
  banner: { name: 'Banner', undo: 'settings.pay' },
  bannerOrder: { name: 'ลำดับ Banner', undo: 'settings.pay' },
  option: { name: 'การตั้งค่า', undo: 'settings.manage' },
  terms: { name: 'ข้อกำหนด', undo: 'settings.manage' },
  order: { name: 'คำสั่งซื้อ', undo: notOfCatalogue },
  topUp: { name: 'รายการเติมเงิน', undo: notOfCatalogue },
  owedRefund: { name: 'เงินที่ต้องโอนคืน', undo: notOfCatalogue },
  statementFile: { name: 'ไฟล์รายการธนาคาร', undo: notOfCatalogue },
  statementLine: { name: 'รายการธนาคาร', undo: notOfCatalogue },
  chatRoom: { name: 'กลุ่ม LINE', undo: { whyNot: 'ต้องผูกหรือเลิกผูกกลุ่มในหน้าแชท LINE' } },
  chatMessage: { name: 'ข้อความ LINE', undo: notOfCatalogue },
  secondWord: { name: 'รายการที่รอคนที่สอง', undo: notOfCatalogue },
  mailMessage: { name: 'อีเมล', undo: notOfCatalogue },
  safeMode: { name: 'โหมดปลอดภัย', undo: { whyNot: 'ผู้ดูแลเซิร์ฟเวอร์เป็นผู้เข้าและออกจากโหมดนี้' } },
  lostSlip: { name: 'สลิปที่พบหลังกู้ข้อมูล', undo: notOfCatalogue },
  voucher: { name: 'รหัสสินค้า', undo: { whyNot: 'รหัสที่ถอนคืนได้ในหน้าสต็อกรหัส' } },
  voucherBatch: { name: 'ชุดรหัส', undo: { whyNot: 'รหัสทั้งชุดถอนหรือคืนได้ในหน้าสต็อกรหัส' } },
  lostPurchase: { name: 'การซื้อที่พบหลังกู้ข้อมูล', undo: notOfCatalogue },
  // An entry does not know what problems the supplier has met since.
  supplier: { name: 'ผู้จำหน่าย', undo: { whyNot: 'ต้องเปิดหรือปิดผู้จำหน่ายในหน้าตั้งค่า' } },
  charge: { name: 'การชำระผ่านผู้ให้บริการ', undo: notOfCatalogue },
  job: { name: 'งานของระบบ', undo: notOfCatalogue },
  erasure: { name: 'คำขอลบข้อมูล', undo: { whyNot: 'ข้อมูลที่ลบแล้วไม่มีเก็บไว้ที่ใด' } },
  // A revoked key may have leaked, and a new key is shown only once.
  apiKey: { name: 'คีย์ API', undo: { whyNot: 'ตัวแทนต้องสร้างคีย์ใหม่เอง' } },
  feedKey: { name: 'คีย์รับรายการธนาคาร', undo: { whyNot: 'คีย์ต้องสร้างหรือยกเลิกใหม่เท่านั้น' } },
} as const satisfies Record<string, Subject>

type Subjects = typeof SUBJECT
type AuditNoun = keyof Subjects
/** The nouns whose changes can be undone. */
export type UndoableNoun = { [Noun in AuditNoun]: Subjects[Noun]['undo'] extends Action ? Noun : never }[AuditNoun]

/** `noun:id`, e.g. "account:demo-agent"; the id is "all" when there is only one such thing. */
export type AuditSubject = `${AuditNoun}:${string}`

/** The nouns with their names for staff. */
export const AUDIT_SUBJECTS = keysOf(SUBJECT).map(noun => ({ noun, name: SUBJECT[noun].name }))

/** Older entries may have a noun that no longer exists. */
const isNoun = (noun: string): noun is AuditNoun => Object.hasOwn(SUBJECT, noun)

/** Returns the name for staff of the kind of thing that an entry is about. */
export function nameOfSubject(subject: string): string {
  const noun = subject.slice(0, subject.indexOf(':'))
  return isNoun(noun) ? SUBJECT[noun].name : subject
}

/** Returns what a change of a subject restores and who may undo it, or why nobody can. */
export function undoOf(subject: string): { noun: UndoableNoun; id: string; allow: Action } | { whyNot: string } {
  const colon = subject.indexOf(':')
  const noun = subject.slice(0, colon)
  if (!isNoun(noun)) return notOfCatalogue
  const { undo }: Subject = SUBJECT[noun]
  return typeof undo === 'string' ? { noun: noun as UndoableNoun, id: subject.slice(colon + 1), allow: undo } : undo
}
