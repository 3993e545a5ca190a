import { AppError } from '@shop/shared/errors.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions } from 'sharp'
import type { SentFile } from '../http/route.ts'

/** For each kind of picture, how its bytes must end. */
const ENDS_WELL: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': bytes => bytes.subarray(-8, -4).toString('latin1') === 'IEND',
  'image/jpeg': bytes => bytes.subarray(-2).toString('hex') === 'ffd9',
  'image/webp': bytes => bytes.length === bytes.readUInt32LE(4) + 8,
}
const EXTENSIONS = /\.(jpe?g|png|webp)$/i
/** Matches a file that is also another kind of document. */
const ALSO_A_DOCUMENT = /<script|<html|<!doctype|<\?php|%PDF-/i

/** How screens use a picture: it fills the whole area, or is shown completely within it. */
const PICTURE_SIZE = {
  logo: { width: 228, height: 228, fit: 'cover' },
  banner: { width: 1000, height: 500, fit: 'cover' },
  hint: { width: 1000, height: 1000, fit: 'inside', withoutEnlargement: true },
} as const satisfies Record<string, ResizeOptions>
export type PictureKind = keyof typeof PICTURE_SIZE

/**
 * Makes a public WebP of an uploaded file: checks that it is a picture and nothing else, limits its size, turns it
 * upright and encodes it anew without metadata. @throws PICTURE_NOT_IMAGE, PICTURE_TOO_LARGE
 */
export async function readPicture({ bytes, name }: SentFile, kind: PictureKind): Promise<Buffer> {
  const type = await fileTypeFromBuffer(bytes)
  const endsWell = ENDS_WELL[type?.mime ?? '']
  // Browsers send a name without an ending for a picture that never was a file.
  const isNamed = EXTENSIONS.test(name) || !name.includes('.')
  if (!endsWell?.(bytes) || !isNamed || ALSO_A_DOCUMENT.test(bytes.toString('latin1')))
    throw new AppError('PICTURE_NOT_IMAGE')
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > PIXEL_LIMIT) throw new AppError('PICTURE_TOO_LARGE')
    return await sharp(bytes, { limitInputPixels: PIXEL_LIMIT, failOn: 'error' })
      .rotate()
      .resize(PICTURE_SIZE[kind])
      .webp({ quality: 82 })
      .toBuffer()
  } catch (cause) {
    throw cause instanceof AppError ? cause : Object.assign(new AppError('PICTURE_NOT_IMAGE'), { cause })
  }
}
