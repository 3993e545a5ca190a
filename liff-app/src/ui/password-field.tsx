import { CAPS_LOCK_ON, useCapsLock } from '@shop/web/caps-lock.ts'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from './icon-button.tsx'

/** A field for a password, with a button that shows what was typed. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'action'>) {
  const [shown, setShown] = useState(false)
  const capsLock = useCapsLock()
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      {...capsLock.keys}
      help={capsLock.isOn ? CAPS_LOCK_ON : props.help}
      type={shown ? 'text' : 'password'}
      action={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? 'ซ่อนรหัสผ่าน' : 'แสดงรหัสผ่าน'}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
