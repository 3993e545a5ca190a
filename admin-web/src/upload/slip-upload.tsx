import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import type { Rule } from 'antd/es/form'
import { useClient } from '../account/session.tsx'
import { ImageUpload, type UploadField } from './image-upload.tsx'

const UNSENT = ''

/** Keeps a form from being sent without the slip that was chosen for it. */
export const slipIsSent: Rule = {
  validator: async (_, value: unknown) => {
    if (value === UNSENT) throw new Error('รูปยังแนบไม่เสร็จ กรุณารอสักครู่ หรือเอารูปออก')
  },
}

/** A form field whose value is the id of a slip, or of another `noun` kept like one; `slipIsSent` belongs to its rules. */
export function SlipUpload({
  value: _,
  onChange,
  noun = 'สลิป',
  ...field
}: UploadField & { noun?: string; value?: string | null; onChange?: (to: string | null) => void }) {
  const client = useClient()
  return (
    <ImageUpload
      field={field}
      noun={noun}
      width={72}
      send={file => client.call(uploadSlip, { file, idempotencyKey: crypto.randomUUID() })}
      onChoose={() => onChange?.(UNSENT)}
      onChange={slip => onChange?.(slip?.id ?? null)}
    />
  )
}
