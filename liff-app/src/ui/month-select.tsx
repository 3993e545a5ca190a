import { formatMonth, listRecentMonths } from '@shop/web/dates.ts'
import { Select } from './select.tsx'

const MONTHS = 12

interface MonthSelectProps {
  /** "YYYY-MM"; empty for every month. */
  value: string
  onChange: (month: string) => void
  /** What choosing every month is called, where that is offered. */
  all?: string
}

/** Lets choose one of the last twelve months in Bangkok. */
export function MonthSelect(props: MonthSelectProps) {
  const choices = listRecentMonths(new Date(), MONTHS).map(month => ({ value: month, label: formatMonth(month) }))
  return <Select label="เดือน" choices={choices} {...props} />
}
