import { Input } from 'antd'

/** A text field for an amount in baht. */
export function BahtInput(props: {
  id?: string
  label: string
  text: string
  placeholder?: string
  isInvalid: boolean
  describedBy: string | undefined
  onChange: (text: string) => void
  onEnter?: () => void
}) {
  const { id, label, text, placeholder, isInvalid, describedBy, onChange, onEnter } = props
  return (
    <Input
      id={id}
      aria-label={label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      status={isInvalid ? 'error' : undefined}
      inputMode="decimal"
      autoComplete="off"
      placeholder={placeholder}
      suffix="บาท"
      maxLength={12}
      className="baht-input"
      value={text}
      onChange={event => onChange(event.target.value)}
      onPressEnter={onEnter}
    />
  )
}
