import { keysOf } from '../table.ts'
import { addSeconds } from '../time.ts'
import type { AnswerKind, SlipAnswer } from './reply.ts'
import { isApproved, judge, type SlipClaim, type Verdict } from './verdict.ts'

/** Reasons for which staff must decide about a slip, in words for staff. */
export const STAFF_REASON = {
  rules: 'ข้อมูลในสลิปไม่ผ่านครบทุกข้อ',
  shadow: 'โหมดทดลอง: ผ่านทุกข้อ แต่ยังไม่ปรับสถานะให้',
  noQr: 'อ่าน QR ในรูปสลิปไม่ได้',
  otherSlip: 'สลิปประเภทนี้ตรวจอัตโนมัติไม่ได้',
  budget: 'ลูกค้ารายนี้ส่งตรวจครบจำนวนของวันนี้แล้ว',
  quota: 'ใช้โควตาตรวจสลิปของเดือนนี้หมดแล้ว',
  reserved: 'โควตาตรวจสลิปที่เหลือของเดือนนี้เก็บไว้ให้ลูกค้าที่ยืนยันตัวตนแล้ว',
  stopped: 'บริการตรวจสลิปหยุดชั่วคราว (คีย์ แพ็กเกจ หรือโควตา)',
  off: 'ปิดการตรวจสลิปอัตโนมัติอยู่',
  notFound: 'ธนาคารไม่พบรายการโอนนี้',
  pendingTooLong: 'รอธนาคารยืนยันเกิน 30 นาที',
  unreachable: 'ติดต่อบริการตรวจสลิปไม่ได้',
  bankDown: 'ระบบของธนาคารขัดข้อง',
  unreadable: 'ผู้ตรวจสลิปอ่าน QR ไม่ได้',
  unknown: 'ผู้ตรวจสลิปตอบในรูปแบบที่ไม่รู้จัก',
  closed: 'รายการถูกยกเลิกหรือปิดไปแล้ว',
  settled: 'รายการได้รับเงินแล้วก่อนตรวจเสร็จ',
  replaced: 'มีการแก้ไขรายการหลังส่งตรวจ',
  failed: 'ตรวจสลิปไม่สำเร็จ',
} as const satisfies Record<string, string>
export type StaffReason = keyof typeof STAFF_REASON
export const STAFF_REASONS = keysOf(STAFF_REASON)

/** The consequence of a provider's answer. */
export type Outcome =
  | { to: 'approve' }
  | { to: 'retry'; at: Date }
  | { to: 'staff'; reason: StaffReason }
  /** The customer is asked for another picture. */
  | { to: 'askPicture' }
  /** The transfer paid something else. */
  | { to: 'used' }
  /** No more calls until the shop's owner has looked; staff decide about this slip. */
  | { to: 'stop' }

/** Earlier events of the same slip. */
export interface Past {
  firstAskedAt: Date
  /** When the slip was handed in. */
  handedInAt: Date
  /** Earlier answers; a question whose answer never arrived counts as `unreachable`. */
  answers: readonly AnswerKind[]
  /** Whether the customer was already asked for another picture. */
  hasAskedPicture: boolean
}

export interface Decision {
  outcome: Outcome
  /** null when the provider reported no transfer. */
  verdict: Verdict | null
}

const PENDING_SECONDS = [90, 180, 300, 600]
const PENDING_LIMIT_SECONDS = 30 * 60
const UNREACHABLE_SECONDS = [10, 60, 300]
const LONGEST_WAIT_SECONDS = 30 * 60
const BANK_DOWN_SECONDS = [15 * 60, 15 * 60]
const FRESH_SECONDS = 15 * 60
const NOT_FOUND_SECONDS = [7 * 60]

type Step<K extends AnswerKind> = (answer: Extract<SlipAnswer, { kind: K }>, past: Past, now: Date) => Outcome

const countOf = (kind: AnswerKind, { answers }: Past): number => answers.filter(each => each === kind).length

/** Returns the next try of a schedule, counted by earlier answers of this kind; staff decide when it has ended. */
function again(kind: AnswerKind, seconds: readonly number[], reason: StaffReason, past: Past, now: Date): Outcome {
  const wait = seconds[countOf(kind, past)]
  return wait === undefined ? { to: 'staff', reason } : { to: 'retry', at: addSeconds(now, wait) }
}

function waitForBank({ delayMinutes }: { delayMinutes: number | null }, past: Past, now: Date): Outcome {
  const step = Math.min(countOf('pending', past), PENDING_SECONDS.length - 1)
  const seconds = delayMinutes === null ? PENDING_SECONDS[step]! : (delayMinutes + 1) * 60
  const at = addSeconds(now, seconds)
  const isTooLate = at > addSeconds(past.firstAskedAt, PENDING_LIMIT_SECONDS)
  return isTooLate ? { to: 'staff', reason: 'pendingTooLong' } : { to: 'retry', at }
}

/** The consequence of each kind of answer; rules judge the transfer itself. */
const STEP = {
  pending: waitForBank,
  bankDown: (_, past, now) => again('bankDown', BANK_DOWN_SECONDS, 'bankDown', past, now),
  unreachable({ retryAfterSeconds }, past, now) {
    const outcome = again('unreachable', UNREACHABLE_SECONDS, 'unreachable', past, now)
    if (outcome.to !== 'retry' || retryAfterSeconds === null) return outcome
    return { to: 'retry', at: addSeconds(now, Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS)) }
  },
  notFound(_, past, now) {
    const isFresh = now < addSeconds(past.handedInAt, FRESH_SECONDS)
    return again('notFound', isFresh ? NOT_FOUND_SECONDS : [], 'notFound', past, now)
  },
  unreadable: (_, past) => (past.hasAskedPicture ? { to: 'staff', reason: 'unreadable' } : { to: 'askPicture' }),
  refused: () => ({ to: 'stop' }),
  unknown: () => ({ to: 'staff', reason: 'unknown' }),
} satisfies { [K in Exclude<AnswerKind, 'slip'>]: Step<K> }

/** Decides the consequence of an answer. A slip is approved only when all rules hold. */
export function decide(answer: SlipAnswer, claim: SlipClaim, past: Past, now: Date): Decision {
  if (answer.kind !== 'slip') {
    const step = STEP[answer.kind] as Step<AnswerKind>
    return { outcome: step(answer, past, now), verdict: null }
  }
  const verdict = judge(answer.reply, claim)
  return { outcome: isApproved(verdict) ? { to: 'approve' } : { to: 'staff', reason: 'rules' }, verdict }
}
