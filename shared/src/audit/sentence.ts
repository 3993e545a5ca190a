import { PAYMENT_METHOD, type PriceCode } from '../catalogue/payment-method.ts'
import { type PriceRule, tierOf } from '../catalogue/price-rule.ts'
import { formatBaht, formatBahtShort } from '../money.ts'
import type { OrderStatus } from '../order/status.ts'
import { gatewayLabel } from '../provider-names.ts'
import type { LineStep } from '../statement/statement.ts'
import { lookUp } from '../table.ts'
import { AUDIT_ACTION, type AuditAction } from './action.ts'
import { type Change, listChanges } from './changes.ts'
import type { AuditEntry } from './endpoints.ts'
import { nameOfSubject } from './subject.ts'
import { type Names, toldSubject, toldValue } from './told.ts'

/** A part of a sentence: words, or the name of a thing that may have a page. */
export type Piece = string | { subject: string; name: string }

type Side = Readonly<Record<string, unknown>>
const sideOf = (side: unknown): Side => (side !== null && typeof side === 'object' ? (side as Side) : {})

/** An entry as its sentence needs it. */
interface ToldChange {
  before: Side
  after: Side
  names: Names
  /** What the entry is about, by its name. */
  subject: Piece
}

const baht = (amount: unknown): string | null => (typeof amount === 'number' ? `฿${formatBaht(amount)}` : null)
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** An order or a top-up by its number. */
function byNumber(no: unknown): Piece {
  const number = text(no)
  if (!number) return ''
  return { subject: `${number.startsWith('WT') ? 'topUp' : 'order'}:${number}`, name: number }
}

/** A line of a bank by its amount, which is what people look for; older entries don't hold it. */
const lineOf = ({ after, subject }: ToldChange): Piece[] => {
  const amount = baht(after.amountSatang)
  if (typeof subject === 'string') return [amount ?? subject]
  return amount ? [{ subject: subject.subject, name: amount }] : ['รายการธนาคาร ', subject]
}

/** "(ขาด ฿0.07)" */
function differenceOf({ differenceSatang: difference }: Side): string {
  if (typeof difference !== 'number' || difference === 0) return ''
  return ` (${difference < 0 ? 'ขาด' : 'เกิน'} ฿${formatBaht(Math.abs(difference))})`
}

const walletOf = ({ after, names }: ToldChange): string => toldValue('walletId', after.walletId, names) ?? ''

const DECIDED: Record<LineStep, (told: ToldChange) => Piece[]> = {
  match: told => ['จับคู่ ', ...lineOf(told), ' กับ ', byNumber(told.after.target), differenceOf(told.after)],
  bookPayout: told => ['บันทึก ', ...lineOf(told), ` เป็นยอดโอนจาก ${gatewayLabel(text(told.after.gateway) ?? '')}`],
  creditWallet: told => ['นำ ', ...lineOf(told), ` เข้ากระเป๋าเงินของ ${walletOf(told)}`],
  oweRefund: told => ['ตั้ง ', ...lineOf(told), ' เป็นเงินรอคืนลูกค้า'],
  ignore: told => ['ระบุว่า ', ...lineOf(told), ' ไม่เกี่ยวกับร้าน'],
  undo: told => ['ยกเลิกการจับคู่ ', ...lineOf(told), ' กับ ', byNumber(told.before.target)],
}

const MOVED: Record<OrderStatus, (told: ToldChange) => Piece[]> = {
  waiting_payment: ({ subject }) => ['ให้ ', subject, ' กลับไปรอชำระเงิน'],
  paid: ({ subject, before }) =>
    before.status === 'processing' ? ['คืน ', subject, ' เข้าคิว'] : ['ยืนยันว่าได้รับเงินของ ', subject],
  processing: ({ subject }) => ['รับเรื่อง ', subject],
  success: ({ subject, after }) => ['เติม ', subject, ` สำเร็จ อ้างอิง ${text(after.deliveryReference) ?? '–'}`],
  cancel: ({ subject }) => ['ยกเลิก ', subject],
  expired: ({ subject }) => ['ให้ ', subject, ' หมดเวลา'],
  failed: ({ subject }) => ['บันทึกว่าเติม ', subject, ' ไม่สำเร็จ'],
  refunding: ({ subject }) => ['สั่งคืนเงินของ ', subject],
  refunded: ({ subject }) => ['คืนเงินของ ', subject],
}

const topUp =
  (verb: string) =>
  (told: ToldChange): Piece[] => [
    `${verb} `,
    told.subject,
    ` ${baht(told.after.amountSatang) ?? ''} ของ ${walletOf(told)}`,
  ]

/** "โอนเงินธนาคาร +6%, Gold +4% +5 บาท"; older entries may hold less. */
function rulesText(rules: unknown, names: Names): string {
  const all = Array.isArray(rules) ? (rules as Partial<PriceRule>[]) : []
  const texts = all.map(({ target = 'bank', basisPoints = 0, fixedSatang = 0 }) => {
    const tier = tierOf(target)
    const what = tier === null ? PAYMENT_METHOD[target as PriceCode].name : (names[`tier:${tier}`] ?? `Tier ${tier}`)
    return [what, `+${basisPoints / 100}%`, fixedSatang > 0 && `+${formatBahtShort(fixedSatang)} บาท`]
      .filter(Boolean)
      .join(' ')
  })
  return texts.join(', ') || 'ไม่มีกฎ'
}

/** Sentences of actions that say more than which fields changed; null where an entry does not hold what they tell. */
const SENTENCE: Partial<Record<AuditAction, (told: ToldChange) => Piece[] | null>> = {
  'statement.decide': told => lookUp(DECIDED, told.after.step)?.(told) ?? null,
  'order.changeStatus': told => lookUp(MOVED, told.after.status)?.(told) ?? null,
  'order.reduce': ({ subject }) => ['คืนเงินส่วนที่ส่งไม่ได้ของ ', subject],
  'topUp.add': topUp('เพิ่มรายการเติมเงิน'),
  'topUp.approve': topUp('อนุมัติเติมเงิน'),
  'topUp.reject': topUp('ไม่อนุมัติเติมเงิน'),
  'topUp.correct': topUp('แก้รายการเติมเงิน'),
  'refund.credit': ({ after }) => [`คืน ${baht(after.amountSatang) ?? ''} เป็นเครดิตร้าน`],
  'refund.send': ({ after }) => [`โอนคืน ${baht(after.amountSatang) ?? ''} อ้างอิง ${text(after.reference) ?? '–'}`],
  'voucher.import': ({ after, subject }) => ['นำเข้ารหัส ', `${Number(after.imported ?? 0)} รหัส `, subject],
  'priceRule.save': ({ before, after, subject, names }) => [
    'บันทึกกฎราคา ',
    subject,
    `: ${rulesText(before.rules, names)} → ${rulesText(after.rules, names)}`,
  ],
  'statement.import': ({ after, subject }) => ['นำเข้า ', subject, ` รายการใหม่ ${Number(after.imported ?? 0)} รายการ`],
}

/** So many changes stand in the sentence itself, if they are this short. */
const MOST_TOLD = 2
const MOST_CHARACTERS = 40

const isShort = ({ before, after }: Change) => [before, after].every(side => (side?.length ?? 0) <= MOST_CHARACTERS)

/** The changes in a few words: "ราคา 149 บาท → 155 บาท", or only which fields they are. */
function summaryOf(changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  if (changes.length <= MOST_TOLD && changes.every(isShort))
    return changes.map(({ label, before, after }) => `${label} ${before ?? '–'} → ${after ?? '–'}`).join(', ')
  const more = changes.length - MOST_TOLD
  const labels = changes.slice(0, MOST_TOLD).map(({ label }) => label)
  return more > 0 ? `${labels.join(', ')} และอีก ${more} ค่า` : labels.join(', ')
}

/** The sentence of an entry, without who did it: "บันทึกราคา 60 UC: ราคา 35 บาท → 36 บาท". */
export function sentenceOf(entry: AuditEntry, names: Names): Piece[] {
  const { action, subject: id } = entry
  const name = toldSubject(entry)
  const subject: Piece = name ? { subject: id, name } : nameOfSubject(id)
  const [before, after] = [sideOf(entry.before), sideOf(entry.after)]
  const told = lookUp(SENTENCE, action)?.({ before, after, names, subject })
  const reason = text(after.reason)
  const because = reason && reason !== text(before.reason) ? ` · ${reason}` : ''
  if (told) return [...told, because].filter(piece => piece !== '')
  const changes = listChanges(entry.before, entry.after, names).filter(({ field }) => field !== 'reason')
  const isNew = entry.before === null
  const summary = isNew ? '' : summaryOf(changes)
  const label = lookUp(AUDIT_ACTION, action) ?? action
  // Without a name of its own a thing is the only one of its kind, and the action names the kind.
  return [`${label} `, name ? subject : '', summary && `: ${summary}`, because].filter(piece => piece !== '')
}

/** The sentence as plain text. */
export const textOf = (pieces: readonly Piece[]): string =>
  pieces.map(piece => (typeof piece === 'string' ? piece : piece.name)).join('')
