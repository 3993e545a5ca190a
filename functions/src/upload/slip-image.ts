import { createHash } from 'node:crypto'
import { AppError } from '@shop/shared/errors.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { pickSlipQr, type SlipQr } from '@shop/shared/upload/slip-qr.ts'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { withPicture } from './picture.ts'
import { readQrs } from './qr.ts'
import { createQueue } from './queue.ts'

/** What can be decoded here. HEIC cannot: browsers that can make a JPEG of it. */
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
/** Of the stored picture: a tall one stays readable where its longer side would not. */
const MOST_PIXELS = 4_000_000
/** Pixels of the longer side in which a QR code is looked for first. */
const READ_SIDE = 1600
/** A picture with such sides is looked at piece by piece, too. */
const TALL = 2.5
const MOST_PIECES = 24

/** Only two pictures are processed at a time, which leaves processor and memory to buyers. */
const inTurn = createQueue({ atOnce: 2, waitSeconds: 5 })
// Each picture uses one thread.
sharp.concurrency(1)

export interface SlipImage {
  /** JPEG without metadata. */
  body: Buffer
  /** SHA-256 of it: the same for the same upload. */
  pictureHash: string
  width: number
  height: number
  qr: SlipQr | null
  /** The exact text of the QR code. */
  qrText: string | null
}

/**
 * Makes a safe picture of an upload: checks that it is an image, limits its size, turns it upright and encodes it anew
 * without EXIF or GPS. It also reads the bank's mini QR code if there is one. @throws SLIP_NOT_IMAGE, SLIP_TOO_LARGE,
 * UNAVAILABLE when too many arrive at the same time
 */
export function readSlipImage(upload: Buffer): Promise<SlipImage> {
  return inTurn(() => readImage(upload))
}

async function readImage(upload: Buffer): Promise<SlipImage> {
  const type = await fileTypeFromBuffer(upload)
  if (!type || !ACCEPTED.has(type.mime)) throw new AppError('SLIP_NOT_IMAGE')
  try {
    const { autoOrient } = await sharp(upload, { limitInputPixels: false }).metadata()
    if (autoOrient.width * autoOrient.height > PIXEL_LIMIT) throw new AppError('SLIP_TOO_LARGE')
    const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (autoOrient.width * autoOrient.height)))
    const width = Math.max(1, Math.floor(autoOrient.width * scale))
    return await withPicture(upload, upright => slipOf(upright, width))
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('SLIP_NOT_IMAGE', { cause })
  }
}

async function slipOf(upright: () => Sharp, width: number): Promise<SlipImage> {
  const { data, info } = await upright()
    .resize({ width })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer({ resolveWithObject: true })
  const pictureHash = createHash('sha256').update(data).digest('base64url')
  return { body: data, pictureHash, width: info.width, height: info.height, ...(await findQr(data, upright)) }
}

/**
 * Looks for the slip's QR code in the whole picture, then in its lower half, where banks print it, and in the pieces of a
 * tall one as it came. @param upright makes the picture as it came
 */
async function findQr(jpeg: Buffer, upright: () => Sharp): Promise<Pick<SlipImage, 'qr' | 'qrText'>> {
  const texts = new Set<string>()
  for await (const view of viewsOf(jpeg, upright)) {
    for (const text of await decode(view)) texts.add(text)
    if (pickSlipQr([...texts])?.qr.kind === 'slip') break
  }
  return pickSlipQr([...texts]) ?? { qr: null, qrText: null }
}

/** Each is made when those before it had no slip's code. */
async function* viewsOf(jpeg: Buffer, upright: () => Sharp): AsyncGenerator<Sharp> {
  const { width = 0, height = 0 } = await sharp(jpeg).metadata()
  yield sharp(jpeg).resize({ width: READ_SIDE, height: READ_SIDE, fit: 'inside', withoutEnlargement: true })
  yield sharp(jpeg)
  yield sharp(jpeg).extract({ left: 0, top: Math.floor(height / 2), width, height: height - Math.floor(height / 2) })
  if (height > width * TALL) yield* piecesOf(upright())
}

/** Squares that overlap by a third, from the foot up. */
async function* piecesOf(picture: Sharp): AsyncGenerator<Sharp> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const step = Math.max(Math.floor((width * 2) / 3), Math.ceil(height / MOST_PIECES))
  const tops = Array.from({ length: Math.ceil(height / step) }, (_, nth) => Math.max(0, height - width - nth * step))
  for (const top of new Set(tops))
    yield sharp(data, { raw: { width, height, channels } }).extract({
      left: 0,
      top,
      width,
      height: Math.min(width, height - top),
    })
}

async function decode(view: Sharp): Promise<string[]> {
  const { data, info } = await view.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return readQrs(info.width, info.height, data)
}
