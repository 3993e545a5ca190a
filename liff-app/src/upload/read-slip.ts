import { readSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'
import decodeQr from 'qr/decode.js'

/** Phone pictures are large; the mini QR is still readable at this length of the longer side. */
const MAX_PX = 1600

async function readPixels(file: File): Promise<ImageData | null> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, MAX_PX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return context?.getImageData(0, 0, canvas.width, canvas.height) ?? null
}

/** What the QR on a slip picture says, or null when there is none to be read. It only tells slips apart. */
export async function readSlip(file: File): Promise<SlipQr | null> {
  try {
    const pixels = await readPixels(file)
    return pixels && readSlipQr(decodeQr(pixels))
  } catch {
    return null
  }
}
