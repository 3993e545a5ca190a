import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Field, type FieldProps } from './field.tsx'

/** A password with a button that shows it. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'action'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      action={
        <button
          type="button"
          className="icon-button"
          aria-label={shown ? 'ซ่อนรหัสผ่าน' : 'แสดงรหัสผ่าน'}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} strokeWidth={1.75} aria-hidden />
        </button>
      }
    />
  )
}
