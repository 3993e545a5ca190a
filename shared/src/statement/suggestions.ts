import { formatBahtShort } from '../money.ts'
import { bangkokDay, DAY_MS, startOfBangkokDay } from '../time.ts'
import {
  fits,
  fitting,
  isInTime,
  isOnAccount,
  momentOf,
  needsOf,
  type Payable,
  standingOf,
  windowOf,
} from './matching.ts'
import type { StatementLine } from './statement.ts'

/** A fact that makes a candidate more or less likely, in words for staff. */
interface Reason {
  tone: 'ok' | 'warn' | 'neutral'
  text: string
}

export interface Suggestion<T extends Payable = Payable> {
  payable: T
  /** The line's amount minus the candidate's; negative when too little came. */
  differenceSatang: number
  reasons: Reason[]
  /** What matching the line to it needs. */
  needs: 'nothing' | 'reason' | 'impossible'
  /** Whether it is the likeliest candidate, can have the money, and was made before the money came. */
  isBest: boolean
  /** Why the money should go back to its buyer, when it is the likeliest order but can't take the money; else null. */
  goesBackFor: string | null
}

type Line = Pick<StatementLine, 'day' | 'at' | 'precisionSeconds' | 'receivingAccountId' | 'amountSatang'>

/** People round, mistype or add a fee, so an amount that differs by this much may still be meant. */
const NEAR_SATANG = 2000
const NEAR_PART = 0.2
/** Money of another amount is a candidate only up to this long after the candidate's time. */
const NEAR_MS = 24 * 3_600_000

/** Returns the range of amounts that are near to a line's amount. */
export const nearAmounts = (amountSatang: number) => ({
  least: Math.floor(Math.min(amountSatang - NEAR_SATANG, amountSatang / (1 + NEAR_PART))),
  most: Math.ceil(Math.max(amountSatang + NEAR_SATANG, amountSatang / (1 - NEAR_PART))),
})

const isNear = (line: Line, { amountSatang }: Payable) =>
  Math.abs(line.amountSatang - amountSatang) <= Math.max(NEAR_SATANG, amountSatang * NEAR_PART)

/** Tells whether the line has whole baht and differs by less than one baht. */
const isRounded = (line: Line, { amountSatang }: Payable) =>
  line.amountSatang % 100 === 0 && Math.abs(line.amountSatang - amountSatang) < 100

/** Returns by how many ms a line came before (negative) or after the candidate's time; 0 within it. */
function offTime(line: Line, payable: Payable): number {
  const [moment, own] = [momentOf(line), windowOf(payable)]
  return Math.max(0, moment.from.getTime() - own.to.getTime()) || Math.min(0, moment.to.getTime() - own.from.getTime())
}

/** Nobody pays for an order before making it, but a top-up is often entered long after its transfer. */
const isBeforeOrder = (line: Line, payable: Payable): boolean =>
  payable.target.kind === 'order' && offTime(line, payable) < 0

const minuteOf = (moment: Date): number => Math.floor(moment.getTime() / 60_000)

/** Returns the time between the two moments that people see: in minutes, or in days when the bank gives only the day. */
function apartText(line: Line, { createdAt }: Payable): string {
  const dayStart = (day: string) => startOfBangkokDay(day).getTime()
  const days = Math.abs(dayStart(line.day) - dayStart(bangkokDay(createdAt))) / DAY_MS
  if (!line.at) return `${days} วัน`
  const minutes = Math.abs(minuteOf(line.at) - minuteOf(createdAt))
  if (minutes < 60) return `${minutes} นาที`
  if (minutes >= 48 * 60) return `${days} วัน`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} ชั่วโมง${rest > 0 ? ` ${rest} นาที` : ''}`
}

function amountReason(line: Line, payable: Payable): Reason {
  const difference = line.amountSatang - payable.amountSatang
  if (difference === 0) return { tone: 'ok', text: 'ยอดตรงทุกสตางค์' }
  const [way, much] = [difference < 0 ? 'ขาด' : 'เกิน', formatBahtShort(Math.abs(difference))]
  return { tone: 'warn', text: `${isRounded(line, payable) ? 'โอนเป็นบาทถ้วน ' : ''}${way} ฿${much}` }
}

function timeReasons(line: Line, payable: Payable): Reason[] {
  const dayOnly: Reason[] = line.at ? [] : [{ tone: 'neutral', text: 'ธนาคารบอกเฉพาะวันที่' }]
  const off = offTime(line, payable)
  if (off === 0) return [{ tone: 'ok', text: 'เงินเข้าในเวลาของรายการ' }, ...dayOnly]
  const apart = apartText(line, payable)
  const text = off > 0 ? `เงินเข้าหลังสร้างรายการ ${apart} เกินเวลาแล้ว` : `เงินเข้าก่อนสร้างรายการ ${apart}`
  return [{ tone: 'warn', text }, ...dayOnly]
}

/** Returns why an order that was meant by a line's exact amount can't take its money; null when it can. */
function refusalOf(line: Line, { payable, needs, differenceSatang }: Suggestion): string | null {
  if (needs !== 'impossible' || differenceSatang !== 0 || isBeforeOrder(line, payable)) return null
  if (payable.target.kind !== 'order') return null
  return payable.lineId === null ? 'คำสั่งซื้อยกเลิกแล้ว' : 'จ่ายซ้ำ'
}

function standingReasons(payable: Payable): Reason[] {
  const { target, lineId, reportedAt, status, isCorrected } = payable
  if (lineId !== null) return [{ tone: 'warn', text: 'จ่ายซ้ำ: รายการนี้มีเงินเข้าแล้ว' }]
  const standing = standingOf(payable)
  if (standing === 'over') {
    const said = isCorrected
      ? 'แก้รายการคืนแล้ว'
      : target.kind === 'topUp' && status === 'reject'
        ? 'ไม่อนุมัติแล้ว'
        : 'ยกเลิกแล้ว'
    return [{ tone: 'warn', text: said }]
  }
  if (standing === 'booked') return [{ tone: 'neutral', text: 'บันทึกว่าได้รับเงินแล้ว ยังไม่มีรายการธนาคาร' }]
  const reported: Reason[] = reportedAt ? [{ tone: 'ok', text: 'ลูกค้าแจ้งโอนแล้ว' }] : []
  return status === 'expired' ? [...reported, { tone: 'neutral', text: 'หมดเวลาแล้ว' }] : reported
}

/** Judges one candidate for a line. */
export function judge<T extends Payable>(line: Line, payable: T): Suggestion<T> {
  const account: Reason[] = isOnAccount(line, payable) ? [] : [{ tone: 'warn', text: 'คนละบัญชีรับโอน' }]
  return {
    payable,
    differenceSatang: line.amountSatang - payable.amountSatang,
    reasons: [amountReason(line, payable), ...account, ...timeReasons(line, payable), ...standingReasons(payable)],
    needs: needsOf(line, payable),
    isBest: false,
    goesBackFor: null,
  }
}

function isLikely(line: Line, payable: Payable): boolean {
  if (!isOnAccount(line, payable)) return false
  if (line.amountSatang === payable.amountSatang) return true
  const off = offTime(line, payable)
  return isNear(line, payable) && payable.lineId === null && off >= 0 && off <= NEAR_MS
}

/** Returns numbers to sort by: smaller is likelier, and the first number that differs decides. */
function rankOf(line: Line, { payable, differenceSatang, needs }: Suggestion): number[] {
  const isExact = differenceSatang === 0 || (isRounded(line, payable) && isInTime(line, payable))
  const kind = fits(line, payable) ? 0 : isExact ? 1 : 2
  return [
    isBeforeOrder(line, payable) ? 1 : 0,
    kind,
    needs === 'impossible' ? 1 : 0,
    Math.abs(offTime(line, payable)) > 0 ? 1 : 0,
    Math.abs(differenceSatang),
    Math.abs(offTime(line, payable)),
    payable.reportedAt ? 0 : 1,
    -payable.createdAt.getTime(),
  ]
}

/** Returns the things that a line may be the money of, likeliest first. */
export function suggest<T extends Payable>(line: Line, payables: readonly T[]): Suggestion<T>[] {
  const likely = payables.filter(payable => isLikely(line, payable)).map(payable => judge(line, payable))
  const isAlike = ({ payable, needs }: Suggestion) => needs !== 'impossible' && fitting(line, [payable]).length > 0
  const alike = likely.filter(isAlike).length
  const ranked = likely.map(each => ({ each, rank: rankOf(line, each) }))
  ranked.sort((a, b) => a.rank.map((value, i) => value - b.rank[i]!).find(difference => difference !== 0) ?? 0)
  return ranked.map(({ each }, place) => {
    const isBest = place === 0 && each.needs !== 'impossible' && !isBeforeOrder(line, each.payable)
    const others: Reason[] = alike > 1 && isAlike(each) ? [{ tone: 'warn', text: `มี ${alike} รายการที่ตรงกัน` }] : []
    const goesBackFor = place === 0 ? refusalOf(line, each) : null
    return { ...each, isBest, goesBackFor, reasons: [...each.reasons, ...others] }
  })
}
