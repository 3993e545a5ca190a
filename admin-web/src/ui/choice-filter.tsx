import { Select } from 'antd'

/** A filter that lets people choose one of some choices. None is '', and means all. */
export function ChoiceFilter<T extends string>(props: {
  label: string
  /** What the box says while nothing is chosen. */
  all: string
  options: readonly { value: T; label: string }[] | undefined
  chosen: T | ''
  width: number
  onChange: (chosen: T | '') => void
}) {
  const { label, all, options, chosen, width, onChange } = props
  return (
    <Select<T | null>
      aria-label={label}
      placeholder={all}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      value={chosen || null}
      options={options && [...options]}
      onChange={next => onChange(next ?? '')}
      style={{ width }}
    />
  )
}
