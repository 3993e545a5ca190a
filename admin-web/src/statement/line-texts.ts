import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { LineSourceView, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { LINE_STATE, type LineState } from '@shop/shared/statement/statement.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'

type When = Pick<StatementLineView, 'at' | 'day' | 'precisionSeconds'>

/** "20/11/2026 13:58:04", as precisely as the bank told it. */
export function timeOf({ at, day, precisionSeconds }: When): string {
  if (!at) return day.split('-').reverse().join('/')
  return formatDateTimeSeconds(at).slice(0, precisionSeconds === 60 ? 16 : 19)
}

/** The same without the year. */
export const shortTimeOf = (line: When): string => timeOf(line).replace(/^(\d\d\/\d\d)\/\d{4}/, '$1')

/** Who paid or where it went, in a line and what else the bank says of it. */
export function payerOf({ fromBank, fromAccount, channel, detail, amountSatang }: StatementLineView) {
  const way = amountSatang < 0 ? 'โอนไป' : 'โอนจาก'
  const title = fromBank ? `${way} ${bankOf(fromBank).niceName}` : channel || detail || 'ไม่มีรายละเอียด'
  const isTold = fromAccount !== null && detail.toLowerCase().includes(fromAccount.toLowerCase())
  return { title, about: [detail, isTold ? null : fromAccount].filter(text => text && text !== title).join(' · ') }
}

/** Where a line came from: "ไฟล์ x.csv โดย มานี", "ส่งโดยคีย์ ตัวดึงรายการ SCB". */
export function sourceName({ kind, name, byName }: LineSourceView): string {
  if (kind === 'feed') return name ? `ส่งโดยคีย์ ${name}` : 'ส่งโดยระบบ (ไม่ทราบคีย์)'
  return `ไฟล์ ${name ?? ''}${byName ? ` โดย ${byName}` : ''}`
}

/** What taking a decision back is called. */
export const undoName = (state: LineState): string => (state === 'matched' ? 'ยกเลิกการจับคู่' : 'นำกลับมาจับคู่ใหม่')

/** What became of a line and by whom, in one sentence. */
export function outcomeOf({ state, target, decidedByName, decidedAt }: StatementLineView): string {
  const what = `${LINE_STATE[state].label}${target ? ` ${target.no}` : ''}`
  if (!decidedAt) return what
  return `${what} โดย${decidedByName ? ` ${decidedByName}` : 'ระบบ'} เมื่อ ${formatDateTimeSeconds(decidedAt)}`
}
