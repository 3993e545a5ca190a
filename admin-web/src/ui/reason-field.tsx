import { Button, Form, Input } from 'antd'
import { useEffect, useRef } from 'react'
import { required } from './form-errors.ts'

/** Alt with the digit of a chip takes it, also while the cursor stands in the box. */
function useDigits(usual: readonly string[], onTake: (reason: string) => void) {
  const latest = useRef({ usual, onTake })
  latest.current = { usual, onTake }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { usual, onTake } = latest.current
      const reason = event.altKey && /^Digit[1-9]$/.test(event.code) ? usual[Number(event.code.at(-1)) - 1] : undefined
      if (!reason) return
      event.preventDefault()
      onTake(reason)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Usual reasons, each taken by one press or by its key. */
export function ReasonChips({ usual, onTake }: { usual: readonly string[]; onTake: (reason: string) => void }) {
  useDigits(usual, onTake)
  if (usual.length === 0) return null
  return (
    <fieldset className="reason-chips" aria-label="เหตุผลที่ใช้บ่อย กด Alt กับตัวเลขเพื่อเลือก">
      {usual.map((reason, index) => (
        <Button key={reason} size="small" aria-keyshortcuts={`Alt+${index + 1}`} onClick={() => onTake(reason)}>
          {reason}
        </Button>
      ))}
    </fieldset>
  )
}

/** Asks why, in a form: one press takes a usual reason, and the box shows how much fits into it. */
export function ReasonField(props: {
  label?: string
  usual?: readonly string[]
  isOptional?: boolean
  hasFocus?: boolean
}) {
  const { label = 'เหตุผล', usual = [], isOptional = false, hasFocus = true } = props
  const form = Form.useFormInstance<{ reason?: string }>()
  const take = (reason: string) => {
    form.setFieldsValue({ reason })
    void form.validateFields(['reason'])
  }
  return (
    <>
      <ReasonChips usual={usual} onTake={take} />
      <Form.Item
        name="reason"
        label={isOptional ? `${label} (ไม่บังคับ)` : label}
        rules={isOptional ? [] : [required('กรุณาระบุเหตุผล')]}
      >
        <Input.TextArea autoFocus={hasFocus} rows={3} maxLength={500} showCount />
      </Form.Item>
    </>
  )
}
