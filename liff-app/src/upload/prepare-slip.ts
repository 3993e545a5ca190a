import { FILE_LIMIT_BYTES } from '@shop/shared/endpoint.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { readSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'
import decodeQr from 'qr/decode.js'

/** Pixels of the longer side, enough to find the mini QR of a slip: here, and by the server in what is sent. */
const READ_SIDE = 1600
const SENT_SIDE = 2400
const JPEG_QUALITY = 0.9

export interface PreparedSlip {
  /** The picked file, or a smaller picture of it where the server would refuse it as too large. */
  file: File
  /** What its QR says; null when none can be read. It serves to tell a slip from a QR for paying. */
  qr: SlipQr | null
}

function draw(picture: ImageBitmap, longSide: number): HTMLCanvasElement {
  const scale = Math.min(1, longSide / Math.max(picture.width, picture.height))
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
  const canvas = draw(picture, SENT_SIDE)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
  return new File(blob ? [blob] : [], `${name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
}

function readQr(picture: ImageBitmap): SlipQr | null {
  const canvas = draw(picture, READ_SIDE)
  try {
    return readSlipQr(decodeQr(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)))
  } catch {
    return null
  }
}

/** Reads a slip's QR and shrinks a large picture. One that this browser can't open is left to the server. */
export async function prepareSlip(file: File): Promise<PreparedSlip> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return { file, qr: null }
  try {
    const isTooLarge = picture.width * picture.height > PIXEL_LIMIT || file.size > FILE_LIMIT_BYTES
    return { file: isTooLarge ? await shrink(picture, file) : file, qr: readQr(picture) }
  } finally {
    picture.close()
  }
}
