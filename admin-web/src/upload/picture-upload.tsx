import type { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { ImageUpload, type UploadField } from './image-upload.tsx'

/** A form rule: the chosen picture has been uploaded. */
export const pictureArrived = {
  validator: async (_: unknown, picture: string | null) => {
    if (picture === null) throw new Error('รูปที่เลือกยังไม่ได้อัปโหลด')
  },
}

/**
 * A form field whose value is the address of an uploaded picture: null while it is being uploaded, '' for no picture
 * where there may be none. The last good picture can be brought back.
 */
export function PictureUpload(
  props: UploadField & {
    endpoint: typeof uploadBanner | typeof uploadHint | typeof uploadLogo
    width: number
    noun?: string
    isOptional?: boolean
    value?: string | null
    onChange?: (to: string | null) => void
  },
) {
  const { endpoint, width, noun = 'รูป', isOptional = false, value, onChange, ...field } = props
  const client = useClient()
  const [good, setGood] = useState(value || null)
  return (
    <ImageUpload
      field={field}
      noun={noun}
      shown={value}
      width={width}
      send={file => client.call(endpoint, { file })}
      onChange={picture => {
        if (picture) setGood(picture.url)
        onChange?.(picture?.url ?? null)
      }}
      onRestore={good ? () => onChange?.(good) : undefined}
      onRemove={isOptional ? () => onChange?.('') : undefined}
    />
  )
}
