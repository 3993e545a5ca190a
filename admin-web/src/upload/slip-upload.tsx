import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { useClient } from '../account/session.tsx'
import { FileUpload } from './file-upload.tsx'

/** A form field whose value is the id of a slip that was sent. */
export function SlipUpload(props: { id?: string; value?: string | null; onChange?: (to: string | null) => void }) {
  const { id, onChange } = props
  const client = useClient()
  const send = async (file: File) => (await client.call(uploadSlip, { file, idempotencyKey: crypto.randomUUID() })).id
  const set = (to: string | null) => onChange?.(to)
  return (
    <FileUpload id={id} what="สลิป" choose="แนบสลิป" width={72} send={send} onChange={set} onClear={() => set(null)} />
  )
}
