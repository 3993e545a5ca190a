import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { useClient } from '../account/session.tsx'
import { ImageUpload, type UploadField } from './image-upload.tsx'

/** A form field whose value is the id of a slip picture. */
export function SlipUpload({
  value: _,
  onChange,
  ...field
}: UploadField & { value?: string | null; onChange?: (to: string | null) => void }) {
  const client = useClient()
  return (
    <ImageUpload
      field={field}
      noun="สลิป"
      width={72}
      send={file => client.call(uploadSlip, { file, idempotencyKey: crypto.randomUUID() })}
      onChange={slip => onChange?.(slip?.id ?? null)}
    />
  )
}
