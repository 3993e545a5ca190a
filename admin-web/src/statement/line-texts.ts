import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { LineSourceView, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { LINE_STATE, type LineState } from '@shop/shared/statement/statement.ts'
import { formatDateTimeSeconds, formatDay } from '@shop/web/dates.ts'

type When = Pick<StatementLineView, 'at' | 'day' | 'precisionSeconds'>

/** "20/11/2026 13:58:04", without the time or the seconds where the bank did not give them. */
export function timeOf({ at, day, precisionSeconds }: When): string {
  if (!at) return formatDay(day)
  return formatDateTimeSeconds(at).slice(0, precisionSeconds === 60 ? 16 : 19)
}

/** The same as `timeOf`, without the year. */
export const shortTimeOf = (line: When): string => timeOf(line).replace(/^(\d\d\/\d\d)\/\d{4}/, '$1')

/** A title that says who paid or where the money went, and what else the bank says about it. */
export function payerOf({ fromBank, fromAccount, channel, detail, amountSatang }: StatementLineView) {
  const way = amountSatang < 0 ? 'โอนไป' : 'โอนจาก'
  const title = fromBank ? `${way} ${bankOf(fromBank).niceName}` : channel || detail || 'ไม่มีรายละเอียด'
  const isTold = fromAccount !== null && detail.toLowerCase().includes(fromAccount.toLowerCase())
  const about = [detail, isTold ? null : fromAccount, channel].filter(text => text && text !== title)
  return { title, about: about.join(' · ') }
}

/** Where a line came from, e.g. "ไฟล์ x.csv โดย มานี" or "ส่งโดยคีย์ ตัวดึงรายการ SCB". */
export function sourceName({ kind, name, byName }: LineSourceView): string {
  if (kind === 'feed') return name ? `ส่งโดยคีย์ ${name}` : 'ส่งโดยระบบ (ไม่ทราบคีย์)'
  return `ไฟล์ ${name ?? ''}${byName ? ` โดย ${byName}` : ''}`
}

/** The label of the button that takes a decision back. */
export const undoName = (state: LineState): string => (state === 'matched' ? 'ยกเลิกการจับคู่' : 'นำกลับมาจับคู่ใหม่')

/** What was decided about a line, by whom and when, in one sentence. */
export function outcomeOf({ state, target, decidedByName, decidedAt }: StatementLineView): string {
  const what = `${LINE_STATE[state].label}${target ? ` ${target.no}` : ''}`
  if (!decidedAt) return what
  return `${what} โดย${decidedByName ? ` ${decidedByName}` : 'ระบบ'} เมื่อ ${formatDateTimeSeconds(decidedAt)}`
}
