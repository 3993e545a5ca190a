import type { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { ImageUpload } from './image-upload.tsx'

/** A form field whose value is the address of a picture of the shop's own; the one it began with can be brought back. */
export function PictureUpload(props: {
  endpoint: typeof uploadBanner | typeof uploadHint | typeof uploadLogo
  width: number
  id?: string
  value?: string | null
  onChange?: (to: string | null) => void
}) {
  const { endpoint, width, id, value, onChange } = props
  const client = useClient()
  const [first] = useState(value || null)
  return (
    <ImageUpload
      id={id}
      noun="รูป"
      shown={value}
      width={width}
      send={file => client.call(endpoint, { file })}
      onChange={picture => onChange?.(picture?.url ?? null)}
      onRestore={first ? () => onChange?.(first) : undefined}
    />
  )
}
