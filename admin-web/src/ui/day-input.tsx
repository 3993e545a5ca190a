import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'

/** Picks a day "YYYY-MM-DD", or none. Days before `min` can't be chosen, but a day that is set already stays. */
export function DayInput(props: {
  label: string
  day: string | null
  min?: string
  /** The placeholder while there is no day. */
  none?: string
  isInvalid?: boolean
  /** The id of the element that says why it is invalid. */
  describedBy?: string
  onChange: (day: string | null) => void
}) {
  const { label, day, min, none = 'เลือกวันที่', isInvalid = false, describedBy, onChange } = props
  // The month of a past day would open with nothing to choose, so the later one of day and `min` decides.
  const [month, setMonth] = useState(dayjs())
  const open = (isOpen: boolean) => {
    const latest = [day ?? '', min ?? ''].toSorted()[1]
    if (isOpen) setMonth(dayjs(latest || undefined))
  }
  return (
    <DatePicker
      aria-label={label}
      format="DD/MM/YYYY"
      placeholder={none}
      allowClear
      showNow={false}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      status={isInvalid ? 'error' : undefined}
      disabledDate={date => min !== undefined && date.format('YYYY-MM-DD') < min}
      pickerValue={month}
      onOpenChange={open}
      onPanelChange={setMonth}
      value={day ? dayjs(day) : null}
      onChange={chosen => onChange(chosen ? chosen.format('YYYY-MM-DD') : null)}
      style={{ width: 150 }}
    />
  )
}
