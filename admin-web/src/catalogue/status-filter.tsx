import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { choicesField } from '../ui/url-filters.ts'

const STATUSES = ['active', 'inactive'] as const
type Status = (typeof STATUSES)[number]

/** The field of the address: active, inactive, or none for both. */
export const statusField = choicesField(STATUSES)

const options = [
  { value: 'active', label: 'ใช้งาน' },
  { value: 'inactive', label: 'ไม่ใช้งาน' },
] satisfies { value: Status; label: string }[]

export const StatusFilter = ({ chosen, onChange }: { chosen: Status[]; onChange: (chosen: Status[]) => void }) => (
  <ChoiceFilter
    label="สถานะ"
    all="ทุกสถานะ"
    options={options}
    chosen={chosen[0] ?? ''}
    width={130}
    onChange={status => onChange(status ? [status] : [])}
  />
)
