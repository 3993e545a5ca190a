import type { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useRef } from 'react'
import { useClient } from '../account/session.tsx'
import { FileUpload } from './file-upload.tsx'

/** A form can't be saved while its picture is on the way. */
export const pictureRule = {
  validator: async (_: unknown, url: string | null | undefined) => {
    if (url === null) throw new Error('กรุณารอให้อัปโหลดรูปเสร็จก่อน')
  },
}

/** A form field whose value is the address of a public picture: '' without one, null while it is being sent. */
export function PictureUpload(props: {
  id?: string
  value?: string | null
  onChange?: (url: string | null) => void
  /** Where such pictures are sent. */
  to: typeof uploadLogo | typeof uploadHint | typeof uploadBanner
  what: string
  width: number
}) {
  const { id, value, onChange, to, what, width } = props
  const client = useClient()
  // A refused file leaves the picture that was there.
  const kept = useRef('')
  if (typeof value === 'string') kept.current = value
  return (
    <FileUpload
      id={id}
      what={what}
      choose={`เลือก${what}`}
      url={kept.current || undefined}
      width={width}
      send={async file => (await client.call(to, { file })).url}
      onChange={url => onChange?.(url)}
      onFailure={() => onChange?.(kept.current)}
      onClear={() => onChange?.('')}
    />
  )
}
