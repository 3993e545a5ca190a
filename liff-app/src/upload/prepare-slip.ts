import { FILE_LIMIT_BYTES } from '@shop/shared/endpoint.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import type { SlipQr } from '@shop/shared/upload/slip-qr.ts'
import { drawPicture, readPictureQr } from '@shop/web/slip-picture.ts'

/** Of what is sent instead of a picture that is too large, whatever its shape. */
const SENT_PIXELS = 4_000_000
const JPEG_QUALITY = 0.9
/** What the server decodes. Safari also opens HEIC, as phones of its maker write photos. */
const SENT_AS_IS = /^image\/(jpeg|png|webp|avif)$/

export interface PreparedSlip {
  /** The picked file, or a JPEG of it where the server would refuse it as too large or could not open it. */
  file: File
  /** What its QR says; null when none can be read. It serves to tell a slip from a QR for paying. */
  qr: SlipQr | null
}

async function shrink(picture: ImageBitmap, { name }: File): Promise<File> {
  const canvas = drawPicture(picture, Math.sqrt(SENT_PIXELS / (picture.width * picture.height)))
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
  return new File(blob ? [blob] : [], `${name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}

/** Reads a slip's QR, shrinks a large picture and encodes anew what only browsers open. One that this browser can't open is left to the server. */
export async function prepareSlip(file: File): Promise<PreparedSlip> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return { file, qr: null }
  try {
    const isTooLarge = picture.width * picture.height > PIXEL_LIMIT || file.size > FILE_LIMIT_BYTES
    const isSent = SENT_AS_IS.test(file.type) && !isTooLarge
    return { file: isSent ? file : await shrink(picture, file), qr: readPictureQr(picture) }
  } finally {
    picture.close()
  }
}
