import { earliestStatementDay } from '@shop/shared/statement/period.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { DatePicker, Segmented } from 'antd'
import dayjs from 'dayjs'
import { type Field, isDay } from '../ui/url-filters.ts'

/** Bangkok days "YYYY-MM-DD"; both belong to the period. */
interface Period {
  from: string
  to: string
}

const DAY = 'YYYY-MM-DD'
const NONE = 'none'
const today = () => bangkokDay(new Date())
const firstOfMonth = () => `${today().slice(0, 7)}-01`

const dayField = (standard: () => string): Field<string | null> => ({
  read: ([day]) => (day === NONE ? null : isDay(day) ? day : standard()),
  write: day => (day === standard() ? [] : [day ?? NONE]),
})

/** Fields of a period that is this month until today by default. */
export const monthFields = { from: dayField(firstOfMonth), to: dayField(today) }

/** The periods that people often choose. */
const quick: Record<string, { label: string; period: () => Period }> = {
  today: { label: 'วันนี้', period: () => ({ from: today(), to: today() }) },
  month: { label: 'เดือนนี้', period: () => ({ from: firstOfMonth(), to: today() }) },
}

/** Picks a period of the last months; null means that no day is chosen. */
export function PeriodFilter(props: {
  from: string | null
  to: string | null
  /** The name of having no period, where a list can do without. */
  anyName?: string
  onChange: (to: { from: string | null; to: string | null }) => void
}) {
  const { from, to, anyName, onChange } = props
  const isIncomplete = !from || !to
  const any = anyName === undefined ? [] : [{ value: NONE, label: anyName }]
  const chosen = isIncomplete
    ? NONE
    : Object.entries(quick).find(([, { period }]) => period().from === from && period().to === to)?.[0]
  return (
    <>
      <DatePicker.RangePicker
        aria-label="ช่วงวันที่"
        format="DD/MM/YYYY"
        placeholder={['ตั้งแต่วันที่', 'ถึงวันที่']}
        separator="–"
        status={isIncomplete && anyName === undefined ? 'error' : undefined}
        disabledDate={date => date.format(DAY) < earliestStatementDay(new Date()) || date.format(DAY) > today()}
        value={isIncomplete ? null : [dayjs(from), dayjs(to)]}
        onChange={range => onChange({ from: range?.[0]?.format(DAY) ?? null, to: range?.[1]?.format(DAY) ?? null })}
        style={{ width: 225 }}
      />
      <Segmented
        aria-label="ช่วงวันที่ที่ใช้บ่อย"
        options={[...any, ...Object.entries(quick).map(([value, { label }]) => ({ value, label }))]}
        value={chosen ?? ''}
        onChange={name => onChange(quick[name]?.period() ?? { from: null, to: null })}
      />
    </>
  )
}
