import type { Action } from '../permissions.ts'

interface Subject {
  /** What staff call it. */
  name: string
  /** Who may write again what was there before a change of it; or why nobody can, in words that end a sentence. */
  undo: Action | { whyNot: string }
}

const notOfCatalogue = { whyNot: 'ย้อนได้เฉพาะแคตตาล็อกและการตั้งค่าร้าน' }

/** What the back office writes about: the noun before the colon of an audit entry's subject. */
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
  // What it ran into since is not known to an entry.
  supplier: { name: 'ผู้จำหน่าย', undo: { whyNot: 'ต้องเปิดหรือปิดผู้จำหน่ายในหน้าตั้งค่า' } },
  // A key that was revoked is known to others, one that was made is shown once.
  feedKey: { name: 'คีย์รับรายการธนาคาร', undo: { whyNot: 'คีย์ต้องสร้างหรือยกเลิกใหม่เท่านั้น' } },
} as const satisfies Record<string, Subject>

type Subjects = typeof SUBJECT
type AuditNoun = keyof Subjects
/** Those of which a change can be taken back. */
export type UndoableNoun = { [Noun in AuditNoun]: Subjects[Noun]['undo'] extends Action ? Noun : never }[AuditNoun]

/** `noun:id`, e.g. "account:demo-agent"; "all" where there is only one. */
export type AuditSubject = `${AuditNoun}:${string}`

/** The nouns by what staff call them. */
export const AUDIT_SUBJECTS = (Object.keys(SUBJECT) as AuditNoun[]).map(noun => ({ noun, name: SUBJECT[noun].name }))

/** Older entries may be about what is no noun any more. */
const isNoun = (noun: string): noun is AuditNoun => Object.hasOwn(SUBJECT, noun)

/** What staff call the kind of thing that an entry is about. */
export function nameOfSubject(subject: string): string {
  const noun = subject.slice(0, subject.indexOf(':'))
  return isNoun(noun) ? SUBJECT[noun].name : subject
}

/** What a change of a subject is a change of, and who may take it back; or why nobody can. */
export function undoOf(subject: string): { noun: UndoableNoun; id: string; allow: Action } | { whyNot: string } {
  const colon = subject.indexOf(':')
  const noun = subject.slice(0, colon)
  if (!isNoun(noun)) return notOfCatalogue
  const { undo }: Subject = SUBJECT[noun]
  return typeof undo === 'string' ? { noun: noun as UndoableNoun, id: subject.slice(colon + 1), allow: undo } : undo
}
