import { readQrTexts } from '@shop/shared/upload/qr-texts.ts'
import { pickSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'

/** Pixels of the longer side, enough to find the mini QR of a slip. */
const READ_SIDE = 1600

/** Draws a picture at a part of its size; never larger than it is. */
export function drawPicture(picture: ImageBitmap, wanted: number): HTMLCanvasElement {
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

/** Returns what the QR on a slip's picture says; null when none can be read. */
export function readPictureQr(picture: ImageBitmap): SlipQr | null {
  const canvas = drawPicture(picture, READ_SIDE / Math.max(picture.width, picture.height))
  const texts = readQrTexts(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height))
  return pickSlipQr(texts)?.qr ?? null
}
