import { AppError } from '@shop/shared/errors.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { readSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { readQr } from './qr.ts'
import { createQueue } from './queue.ts'

const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/avif'])
const LONG_SIDE = 2000

/** Only two pictures are processed at a time, which leaves processor and memory to buyers. */
const inTurn = createQueue({ atOnce: 2, waitSeconds: 5 })
// Each picture uses one thread.
sharp.concurrency(1)

export interface SlipImage {
  /** JPEG without metadata. */
  body: Buffer
  width: number
  height: number
  qr: SlipQr | null
  /** The exact text of the QR code. */
  qrText: string | null
}

/**
 * Makes a safe picture of an upload: checks that it is an image, limits its size, turns it upright and encodes it anew
 * without EXIF or GPS. It also reads the bank's mini QR code if there is one. @throws SLIP_NOT_IMAGE, UNAVAILABLE when
 * too many arrive at the same time
 */
export function readSlipImage(upload: Buffer): Promise<SlipImage> {
  return inTurn(() => readImage(upload))
}

async function readImage(upload: Buffer): Promise<SlipImage> {
  const type = await fileTypeFromBuffer(upload)
  if (!type || !ACCEPTED.has(type.mime)) throw new AppError('SLIP_NOT_IMAGE')
  try {
    const upright = sharp(upload, { limitInputPixels: PIXEL_LIMIT, failOn: 'error' }).rotate()
    const { data, info } = await upright
      .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer({ resolveWithObject: true })
    return { body: data, width: info.width, height: info.height, ...(await findQr(data)) }
  } catch (cause) {
    throw new AppError('SLIP_NOT_IMAGE', { cause })
  }
}

/** Looks for the QR code in the whole picture, then in its lower half, where banks print it. */
async function findQr(jpeg: Buffer): Promise<Pick<SlipImage, 'qr' | 'qrText'>> {
  const { width = 0, height = 0 } = await sharp(jpeg).metadata()
  const half = { left: 0, top: Math.floor(height / 2), width, height: height - Math.floor(height / 2) }
  const views = [
    sharp(jpeg).resize({ width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true }),
    sharp(jpeg),
    sharp(jpeg).extract(half),
  ]
  for (const view of views) {
    const text = await decode(view)
    if (text) return { qr: readSlipQr(text), qrText: text.trim() }
  }
  return { qr: null, qrText: null }
}

async function decode(view: Sharp): Promise<string | null> {
  const { data, info } = await view.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return readQr(info.width, info.height, data)
}
