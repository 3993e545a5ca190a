import { formatMonth, listRecentMonths } from '@shop/web/dates.ts'
import { Select } from './select.tsx'

const MONTHS = 12

interface MonthSelectProps {
  /** "YYYY-MM"; empty is every month. */
  value: string
  onChange: (month: string) => void
  /** Offers every month, too. */
  withAll?: boolean
}

/** One of the last twelve months in Bangkok. */
export const MonthSelect = ({ value, onChange, withAll }: MonthSelectProps) => (
  <Select label="เดือน" value={value} onChange={event => onChange(event.target.value)}>
    {withAll && <option value="">ทุกเดือน</option>}
    {listRecentMonths(new Date(), MONTHS).map(month => (
      <option key={month} value={month}>
        {formatMonth(month)}
      </option>
    ))}
  </Select>
)
