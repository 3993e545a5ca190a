import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { useClient } from '../account/session.tsx'
import { ImageUpload } from './image-upload.tsx'

/** A form field whose value is the id of a slip picture. */
export function SlipUpload(props: { id?: string; value?: string | null; onChange?: (to: string | null) => void }) {
  const { id, onChange } = props
  const client = useClient()
  return (
    <ImageUpload
      id={id}
      noun="สลิป"
      width={72}
      send={file => client.call(uploadSlip, { file, idempotencyKey: crypto.randomUUID() })}
      onChange={slip => onChange?.(slip?.id ?? null)}
    />
  )
}
