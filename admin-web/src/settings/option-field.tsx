import type { Option } from '@shop/shared/settings/option.ts'
import { Input, Switch } from 'antd'
import type { ComponentType } from 'react'

export interface OptionFieldProps {
  id: string
  text: string
  isDisabled: boolean
  isInvalid: boolean
  describedBy: string
  onChange: (text: string) => void
}

type Kind = Option<unknown>['kind']

const inputProps = ({ id, text, isDisabled, isInvalid, describedBy, onChange }: OptionFieldProps) => ({
  id,
  value: text,
  disabled: isDisabled,
  status: isInvalid ? ('error' as const) : undefined,
  'aria-invalid': isInvalid,
  'aria-describedby': describedBy,
  autoComplete: 'off',
  onChange: (event: { target: { value: string } }) => onChange(event.target.value),
})

/** The field of each kind of option. */
export const OPTION_FIELD: Record<Kind, ComponentType<OptionFieldProps>> = {
  switch: ({ id, text, isDisabled, describedBy, onChange }) => (
    <Switch
      id={id}
      checked={text === 'true'}
      disabled={isDisabled}
      aria-describedby={describedBy}
      onChange={isOn => onChange(String(isOn))}
    />
  ),
  number: props => <Input {...inputProps(props)} inputMode="numeric" maxLength={9} style={{ width: 160 }} />,
  line: props => <Input {...inputProps(props)} maxLength={200} />,
  lines: props => <Input.TextArea {...inputProps(props)} autoSize={{ minRows: 2, maxRows: 8 }} maxLength={500} />,
}

/** An option's value in words. */
export function optionText(kind: Kind, text: string): string {
  if (kind === 'switch') return text === 'true' ? 'เปิด' : 'ปิด'
  return text || '(ว่าง)'
}
