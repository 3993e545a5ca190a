import { sendOwnerCode } from '@shop/shared/account/pin-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { OPENING_SECONDS } from '@shop/shared/order/codes.ts'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Field, type FieldProps } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'

/** Sends a code to the owner of the account, and has the field in which they type it. */
export function OwnerCode(field: Omit<FieldProps, 'label'>) {
  const send = useMutation({ mutationFn: () => api.call(sendOwnerCode, {}) })
  return (
    <section aria-label="ยืนยันเจ้าของบัญชี" className="mb-1 rounded-card border border-line p-4">
      <p className="mb-3 text-ink-2 text-small">
        เพื่อความปลอดภัย ร้านจะส่งรหัส 6 หลักไปที่ LINE หรืออีเมลที่บัญชีนี้ใช้อยู่ก่อน กรอกรหัสแล้วกดตั้ง PIN อีกครั้ง PIN ที่กรอกไว้ยังอยู่
      </p>
      <Problem className="mb-2">{send.error && messageOf(send.error)}</Problem>
      {send.isSuccess && (
        <>
          <Note role="status" className="mb-2">
            {`ส่งไปที่ ${send.data.sentTo} แล้ว ใช้ได้ ${OPENING_SECONDS / 60} นาที`}
          </Note>
          <Field {...field} label="รหัสที่ได้รับ" inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
        </>
      )}
      <Button
        kind={send.isSuccess ? 'quiet' : 'secondary'}
        size="small"
        icon={<Send size={18} />}
        busy={send.isPending}
        busyLabel="กำลังส่ง"
        onClick={() => !send.isPending && send.mutate()}
      >
        {send.isSuccess ? 'ส่งรหัสอีกครั้ง' : 'ส่งรหัสให้ฉัน'}
      </Button>
    </section>
  )
}
