import { FILE_LIMIT_BYTES } from '@shop/shared/endpoint.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { readQrTexts } from '@shop/shared/upload/qr-texts.ts'
import { pickSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'

/** Pixels of the longer side, enough to find the mini QR of a slip. */
const READ_SIDE = 1600
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

function draw(picture: ImageBitmap, wanted: number): HTMLCanvasElement {
  const scale = Math.min(1, wanted)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  // Without this, transparent parts would be black in a JPEG.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

async function shrink(picture: ImageBitmap, { name }: File): Promise<File> {
  const canvas = draw(picture, Math.sqrt(SENT_PIXELS / (picture.width * picture.height)))
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
  return new File(blob ? [blob] : [], `${name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}

function readQr(picture: ImageBitmap): SlipQr | null {
  const canvas = draw(picture, READ_SIDE / Math.max(picture.width, picture.height))
  const texts = readQrTexts(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height))
  return pickSlipQr(texts)?.qr ?? null
}

/** Reads a slip's QR, shrinks a large picture and encodes anew what only browsers open. One that this browser can't open is left to the server. */
export async function prepareSlip(file: File): Promise<PreparedSlip> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return { file, qr: null }
  try {
    const isTooLarge = picture.width * picture.height > PIXEL_LIMIT || file.size > FILE_LIMIT_BYTES
    const isSent = SENT_AS_IS.test(file.type) && !isTooLarge
    return { file: isSent ? file : await shrink(picture, file), qr: readQr(picture) }
  } finally {
    picture.close()
  }
}
