import { plain } from './cell-text.ts'
import { visibleAccount } from './counterparty.ts'
import type { ColumnMapping, Rows } from './mapping.ts'
import type { Check } from './proof.ts'

const LABEL = /^(?:เลขที่บัญชี[ก-๎]*|account (?:no|number))\.? ?:? ?(.*)$/i
/** Matches an account number that a spreadsheet turned into a float, so that digits are lost. */
const MANGLED = /^\d(\.\d+)?e\+?\d+$/i

/** Returns the visible digits at the end of an account number: "XXX-X-XX861-4" -> "8614"; null for fewer than three. */
export function endDigits(account: string): string | null {
  return /\d{3,}$/.exec(visibleAccount(account) ?? '')?.[0] ?? null
}

/**
 * Tells whether two account numbers, complete or only their ends, can be the same; leading zeros and hidden digits are
 * ignored.
 */
export function isSameAccount(one: string, other: string): boolean {
  const [a, b] = [endDigits(one), endDigits(other)]
  if (a === null || b === null) return false
  const length = Math.min(a.length, b.length)
  return a.slice(-length) === b.slice(-length)
}

/** Returns the account number in the file, from its column or above the table; null when there is none. */
function writtenAccount(rows: Rows, mapping: ColumnMapping, top: number): string | null {
  const { accountColumn } = mapping
  if (accountColumn !== null) {
    const cell = rows.slice(top).find(cells => plain(cells[accountColumn] ?? '') !== '')?.[accountColumn]
    return cell === undefined ? null : plain(cell)
  }
  for (const cells of rows.slice(0, top)) {
    for (const [index, cell] of cells.entries()) {
      const inside = LABEL.exec(plain(cell))?.[1]
      const found = inside ?? ''
      const text = found || plain(cells.slice(index + 1).find(each => plain(each) !== '') ?? '')
      if (inside !== undefined && text !== '') return text
    }
  }
  return null
}

/**
 * Returns the last digits of the file's own account, and a warning if a spreadsheet damaged them. `top` is the table's
 * first row.
 */
export function accountOf(rows: Rows, mapping: ColumnMapping, top: number): { digits: string | null; checks: Check[] } {
  const text = writtenAccount(rows, mapping, top)
  if (text === null) return { digits: null, checks: [] }
  const warning = `เลขที่บัญชีในไฟล์ถูกโปรแกรมตารางแปลงเป็น ${text} จึงตรวจไม่ได้ว่าเป็นบัญชีใด`
  return { digits: endDigits(text), checks: MANGLED.test(text) ? [{ ok: false, text: warning }] : [] }
}
