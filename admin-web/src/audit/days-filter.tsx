import { keysOf } from '@shop/shared/table.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { DatePicker, Segmented } from 'antd'
import dayjs from 'dayjs'

interface Days {
  from: string | null
  to: string | null
}

const RANGES = { all: 'ทุกวัน', today: 'วันนี้', week: '7 วัน', month: '30 วัน' }
type Range = keyof typeof RANGES

/** The days of a range, which ends today. */
function daysOf(range: Range): Days {
  if (range === 'all') return { from: null, to: null }
  const back = { today: 0, week: 6, month: 29 }[range]
  const now = Date.now()
  return { from: bangkokDay(new Date(now - back * DAY_MS)), to: bangkokDay(new Date(now)) }
}

/** Picks days: one of the usual ranges, or any. */
export function DaysFilter({ from, to, onChange }: Days & { onChange: (days: Days) => void }) {
  const chosen = keysOf(RANGES).find(range => {
    const days = daysOf(range)
    return days.from === from && days.to === to
  })
  return (
    <>
      <Segmented<Range | ''>
        aria-label="ช่วงเวลา"
        options={Object.entries(RANGES).map(([value, label]) => ({ value: value as Range, label }))}
        value={chosen ?? ''}
        onChange={range => range !== '' && onChange(daysOf(range))}
      />
      <DatePicker.RangePicker
        aria-label="ช่วงวันที่"
        format="DD/MM/YYYY"
        placeholder={['ตั้งแต่วันที่', 'ถึงวันที่']}
        value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
        onChange={days =>
          onChange({ from: days?.[0]?.format('YYYY-MM-DD') ?? null, to: days?.[1]?.format('YYYY-MM-DD') ?? null })
        }
        style={{ width: 250 }}
      />
    </>
  )
}
