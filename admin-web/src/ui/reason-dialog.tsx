import { Form, Input } from 'antd'
import type { ComponentProps, ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { required } from './form-errors.ts'

interface Reason {
  reason: string
}

/** Asks for the reason that a step must leave behind; `children` says what the step means. */
export function ReasonDialog(
  props: Omit<ComponentProps<typeof FormDialog<Reason>>, 'onSubmit' | 'children'> & {
    label: string
    /** Stands below the box. */
    hint?: string
    maxLength?: number
    onSubmit: (reason: string) => void
    children?: ReactNode
  },
) {
  const { label, hint, maxLength = 500, onSubmit, children, ...dialog } = props
  return (
    <FormDialog<Reason> {...dialog} onSubmit={({ reason }) => onSubmit(reason.trim())}>
      {children}
      <Form.Item name="reason" label={label} extra={hint} rules={[required('กรุณาระบุเหตุผล')]}>
        <Input.TextArea autoFocus rows={2} maxLength={maxLength} showCount />
      </Form.Item>
    </FormDialog>
  )
}
