import { Input } from 'antd'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

/** Searches when somebody presses Enter, leaves the box or clears it. */
export function SearchInput(props: {
  label: string
  value: string
  onSearch: (text: string) => void
  maxLength?: number
  width?: number
}) {
  const { label, value, onSearch, maxLength = 100, width = 220 } = props
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const search = (typed: string) => {
    if (typed.trim() !== value) onSearch(typed.trim())
  }
  return (
    <Input
      aria-label={label}
      placeholder={label}
      prefix={<Search size={16} aria-hidden color="var(--ink-3)" />}
      allowClear
      maxLength={maxLength}
      value={text}
      onChange={event => {
        setText(event.target.value)
        if (event.target.value === '') search('')
      }}
      onPressEnter={() => search(text)}
      onBlur={() => search(text)}
      style={{ width }}
    />
  )
}
