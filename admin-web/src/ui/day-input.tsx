import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'

/** A day "YYYY-MM-DD", or none. Days before `min` can't be chosen; one that is set already stays. */
export function DayInput(props: {
  label: string
  day: string | null
  min?: string
  /** Said while there is no day. */
  none?: string
  isClearable?: boolean
  isInvalid?: boolean
  /** Id of what says why it is invalid. */
  describedBy?: string
  width?: number
  onChange: (day: string | null) => void
}) {
  const { label, day, min, none = 'เลือกวันที่', isClearable = true, isInvalid = false, describedBy } = props
  const { width = 150, onChange } = props
  // Nothing could be chosen in the month of a day that is past.
  const [month, setMonth] = useState(dayjs())
  const open = (isOpen: boolean) => {
    if (isOpen)
      setMonth(
        dayjs(
          [day, min]
            .filter(each => each !== null && each !== undefined)
            .toSorted()
            .at(-1),
        ),
      )
  }
  return (
    <DatePicker
      aria-label={label}
      format="DD/MM/YYYY"
      placeholder={none}
      allowClear={isClearable}
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
      style={{ width }}
    />
  )
}
