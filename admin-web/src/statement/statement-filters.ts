import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { sourceText } from '@shop/shared/statement/line-source.ts'
import { LINE_STATES } from '@shop/shared/statement/statement.ts'
import { choicesField, dayField, type Field, flagField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { accountField } from './account-select.tsx'

/** On, unless the address says "false". */
const waitingField: Field<boolean> = { read: ([text]) => text !== 'false', write: isOn => (isOn ? [] : ['false']) }

/** The source of lines as the API writes it; null means any source. */
const sourceField: Field<string | null> = {
  read: ([text]) => (sourceText.safeParse(text).success ? text! : null),
  write: source => (source === null ? [] : [source]),
}

/** By default the list shows what waits, on every account and of every day, so that nothing is forgotten. */
const fields = {
  account: accountField,
  from: dayField,
  to: dayField,
  noSaleOrder: waitingField,
  state: choicesField(LINE_STATES),
  source: sourceField,
  gap: flagField,
  disputed: flagField,
  text: textUpTo(60),
}

const PAGE_SIZE = 20
export const useStatementFilters = () => useUrlFilters(fields, PAGE_SIZE)
export type StatementFilters = ReturnType<typeof useStatementFilters>['filters']

/** The filters as the API takes them. */
export function queryOf({ account, from, to, noSaleOrder, state, source, gap, disputed, text }: StatementFilters) {
  return {
    receivingAccountId: account ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
    noSaleOrder: String(noSaleOrder),
    state: noSaleOrder ? undefined : state,
    source: source ?? undefined,
    gap: gap ? 'true' : undefined,
    disputed: disputed ? 'true' : undefined,
    text: text || undefined,
  }
}

/** The address of the page of lines for an account and day. */
export function placeOfLines(account: number, day: string, noSaleOrder: boolean): string {
  const params = new URLSearchParams({ account: String(account), from: day, to: day })
  for (const text of waitingField.write(noSaleOrder)) params.set('noSaleOrder', text)
  return `${STAFF_PAGE.statement.path}?${params}`
}
