import { Select } from 'antd'
import { choicesField } from '../ui/url-filters.ts'

const STATUSES = ['active', 'inactive'] as const
type Status = (typeof STATUSES)[number]

/** Active, inactive or both, as the address holds it. */
export const statusField = choicesField(STATUSES)

const options = [
  { value: 'active', label: 'ใช้งาน' },
  { value: 'inactive', label: 'ไม่ใช้งาน' },
] satisfies { value: Status; label: string }[]

export function StatusFilter({ chosen, onChange }: { chosen: Status[]; onChange: (chosen: Status[]) => void }) {
  return (
    <Select<Status | null>
      aria-label="สถานะ"
      placeholder="ทุกสถานะ"
      allowClear
      value={chosen[0] ?? null}
      options={options}
      onChange={status => onChange(status ? [status] : [])}
      style={{ width: 130 }}
    />
  )
}
