import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { sourceText } from '@shop/shared/statement/line-source.ts'
import { LINE_STATES } from '@shop/shared/statement/statement.ts'
import { choicesField, type Field, textField, useUrlFilters } from '../ui/url-filters.ts'
import { accountField } from './account-select.tsx'
import { todayFields } from './period-filter.tsx'

/** What waits for a decision, unless the address says "false". */
const waitingField: Field<boolean> = {
  read: ([text]) => text !== 'false',
  write: isOn => (isOn ? [] : ['false']),
}

/** Off, unless the address says "true". */
const onlyField: Field<boolean> = {
  read: ([text]) => text === 'true',
  write: isOn => (isOn ? ['true'] : []),
}

/** Where lines come from, as the API writes it; null is anywhere. */
const sourceField: Field<string | null> = {
  read: ([text]) => (sourceText.safeParse(text).success ? text! : null),
  write: source => (source === null ? [] : [source]),
}

const fields = {
  account: accountField,
  ...todayFields,
  noSaleOrder: waitingField,
  state: choicesField(LINE_STATES),
  source: sourceField,
  gap: onlyField,
  disputed: onlyField,
  text: textField,
}

export const useStatementFilters = () => useUrlFilters(fields)
export type StatementFilters = ReturnType<typeof useStatementFilters>['filters']

/** What still has to be chosen, in words. */
export function missingOf({ account, from, to }: StatementFilters): string[] {
  return [...(account === null ? ['กรุณาเลือกบัญชีธนาคาร'] : []), ...(from && to ? [] : ['กรุณาเลือกช่วงวันที่'])]
}

/** The filters as the API takes them; null while something is missing. */
export function queryOf({ account, from, to, noSaleOrder, state, source, gap, disputed, text }: StatementFilters) {
  if (account === null || !from || !to) return null
  return {
    receivingAccountId: account,
    from,
    to,
    noSaleOrder: String(noSaleOrder),
    state: noSaleOrder ? undefined : state,
    source: source ?? undefined,
    gap: gap ? 'true' : undefined,
    disputed: disputed ? 'true' : undefined,
    text: text || undefined,
  }
}

/** The matching page's address for the lines of a day and account. */
export function placeOfLines(account: number, day: string, noSaleOrder: boolean): string {
  const params = new URLSearchParams({ account: String(account), from: day, to: day })
  for (const text of waitingField.write(noSaleOrder)) params.set('noSaleOrder', text)
  return `${STAFF_PAGE.statement.path}?${params}`
}
