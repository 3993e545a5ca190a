import type { DateForm } from '@shop/shared/statement/cell-date.ts'
import { type AmountMapping, type ColumnMapping, emptyMapping, type Rows } from '@shop/shared/statement/mapping.ts'
import { keysOf } from '@shop/shared/table.ts'

export type AmountStyle = AmountMapping['style']

/** What a column can hold. Several columns may be `detail`; every other role belongs to one column. */
export const ROLES = {
  date: 'วันที่',
  time: 'เวลา',
  deposit: 'เงินเข้า',
  withdrawal: 'เงินออก',
  amount: 'จำนวนเงิน',
  direction: 'คำบอกเข้า/ออก',
  balance: 'ยอดคงเหลือ',
  detail: 'รายละเอียด',
  channel: 'ช่องทาง',
  fromBank: 'ธนาคารผู้โอน',
  fromAccount: 'บัญชีผู้โอน',
  account: 'เลขที่บัญชีของร้าน',
} as const
export type Role = keyof typeof ROLES

/** The ways in which files write amounts, and the columns that each of them needs. */
export const AMOUNT_STYLES: Record<AmountStyle, { label: string; needs: readonly Role[] }> = {
  'two-columns': { label: 'เงินเข้าและเงินออกคนละคอลัมน์', needs: ['deposit', 'withdrawal'] },
  signed: { label: 'คอลัมน์เดียว ติดลบคือเงินออก', needs: ['amount'] },
  direction: { label: 'คอลัมน์เดียว มีคำบอกเข้าหรือออก', needs: ['amount', 'direction'] },
  balance: { label: 'คอลัมน์เดียว ดูจากยอดคงเหลือ', needs: ['amount', 'balance'] },
}
const STYLED: readonly Role[] = ['deposit', 'withdrawal', 'amount', 'direction']

/** A mapping that a person is still making; any part of it may be missing. */
export interface MappingDraft {
  headerRow: number | null
  dates: DateForm
  style: AmountStyle
  /** The roles by column, counted from 0. */
  roles: Readonly<Record<number, Role>>
  inWords: string[]
  outWords: string[]
  skipRows: string[]
  bank: string | null
}

/** The roles that a column can be given. */
export const rolesFor = (style: AmountStyle): Role[] =>
  keysOf(ROLES).filter(role => !STYLED.includes(role) || AMOUNT_STYLES[style].needs.includes(role))

export function draftOf(mapping: ColumnMapping): MappingDraft {
  const { amount } = mapping
  const columnOf: Record<Exclude<Role, 'detail'>, number | null> = {
    date: mapping.date.column,
    time: mapping.timeColumn,
    balance: mapping.balanceColumn,
    channel: mapping.channelColumn,
    fromBank: mapping.fromBankColumn,
    fromAccount: mapping.fromAccountColumn,
    account: mapping.accountColumn,
    deposit: amount.style === 'two-columns' ? amount.deposit : null,
    withdrawal: amount.style === 'two-columns' ? amount.withdrawal : null,
    amount: amount.style === 'two-columns' ? null : amount.column,
    direction: amount.style === 'direction' ? amount.directionColumn : null,
  }
  const details = mapping.detailColumns.map(column => [column, 'detail'])
  const others = Object.entries(columnOf).flatMap(([role, column]) => (column === null ? [] : [[column, role]]))
  return {
    headerRow: mapping.headerRow,
    dates: { order: mapping.date.order, era: mapping.date.era },
    style: amount.style,
    // Of two roles for one column the later entry stays, so the surer guesses, which stand first above, come last.
    roles: Object.fromEntries([...details, ...others.reverse()]),
    inWords: amount.style === 'direction' ? amount.inWords : [],
    outWords: amount.style === 'direction' ? amount.outWords : [],
    skipRows: mapping.skipRows,
    bank: mapping.bank,
  }
}

/** Gives a column a role, which the column that had it loses; null takes the column's role away. */
export function giveRole(draft: MappingDraft, column: number, role: Role | null): MappingDraft {
  const kept = Object.entries(draft.roles).filter(
    ([other, had]) => Number(other) !== column && (had !== role || role === 'detail'),
  )
  return { ...draft, roles: Object.fromEntries(role ? [...kept, [column, role]] : kept) }
}

/** The finished mapping, or sentences that say what is missing. */
export function mappingOf(draft: MappingDraft, rows: Rows): { mapping: ColumnMapping } | { missing: string[] } {
  const { headerRow, dates, style, bank, skipRows } = draft
  const columnsOf = (role: Role) =>
    Object.keys(draft.roles)
      .map(Number)
      .filter(column => draft.roles[column] === role)
  const find = (role: Role): number | null => columnsOf(role)[0] ?? null
  const date = find('date')
  const amount = amountOf(draft, find)
  const needed: Role[] = ['date', ...AMOUNT_STYLES[style].needs]
  const missing = needed.filter(role => find(role) === null).map(role => `กรุณาเลือกคอลัมน์${ROLES[role]}`)
  if (style === 'direction' && draft.inWords.length === 0) missing.push('กรุณากรอกคำที่หมายถึงเงินเข้า')
  if (missing.length > 0 || date === null || amount === null) return { missing }
  return {
    mapping: {
      ...emptyMapping(bank, dates),
      headerRow,
      header: headerRow === null ? [] : [...(rows[headerRow] ?? [])],
      date: { ...dates, column: date },
      timeColumn: find('time'),
      amount,
      balanceColumn: find('balance'),
      detailColumns: columnsOf('detail').slice(0, 10),
      channelColumn: find('channel'),
      fromBankColumn: find('fromBank'),
      fromAccountColumn: find('fromAccount'),
      accountColumn: find('account'),
      skipRows,
    },
  }
}

function amountOf(draft: MappingDraft, find: (role: Role) => number | null): AmountMapping | null {
  const { style, inWords, outWords } = draft
  const [deposit, withdrawal, column] = [find('deposit'), find('withdrawal'), find('amount')]
  if (style === 'two-columns') return deposit === null || withdrawal === null ? null : { style, deposit, withdrawal }
  if (column === null) return null
  if (style !== 'direction') return { style, column }
  const directionColumn = find('direction')
  return directionColumn === null ? null : { style, column, directionColumn, inWords, outWords }
}
