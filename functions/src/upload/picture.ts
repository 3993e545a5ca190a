import { AppError } from '@shop/shared/errors.ts'
import { PIXEL_LIMIT } from '@shop/shared/upload/endpoints.ts'
import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions, type Sharp } from 'sharp'
import type { SentFile } from '../call/route.ts'

const ACCEPTED = ['image/png', 'image/jpeg', 'image/webp']
const EXTENSIONS = /\.(jpe?g|jfif|png|webp)$/i
/** Matches a file that is also another kind of document. */
const ALSO_A_DOCUMENT = /<script|<html|<!doctype|<\?php|%PDF-/i

/** How screens use a picture: it fills the whole area, or is shown completely within it. */
const PICTURE_SIZE = {
  logo: { width: 228, height: 228, fit: 'cover' },
  banner: { width: 1000, height: 500, fit: 'cover' },
  hint: { width: 1000, height: 1000, fit: 'inside', withoutEnlargement: true },
} as const satisfies Record<string, ResizeOptions>
export type PictureKind = keyof typeof PICTURE_SIZE

const JPEG_END = Buffer.from('ffd9', 'hex')

/**
 * Lets work open an upright picture, once or more often. Phones append a film or notes of their own, which encoding anew
 * leaves out; some programs cut off the mark that ends a JPEG: it is tried once more with one, and then nothing else may
 * be wrong, since of half a picture the rest would be grey.
 */
export async function withPicture<Made>(bytes: Buffer, work: (open: () => Sharp) => Promise<Made>): Promise<Made> {
  const opening = (picture: Buffer, failOn: 'error' | 'warning') => () =>
    sharp(picture, { limitInputPixels: PIXEL_LIMIT, failOn }).rotate()
  try {
    return await work(opening(bytes, 'error'))
  } catch (error) {
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw error
    return work(opening(Buffer.concat([bytes, JPEG_END]), 'warning'))
  }
}

/**
 * Makes a public WebP of an uploaded file: checks that it is a picture and nothing else, limits its size, turns it
 * upright and encodes it anew without metadata. @throws PICTURE_NOT_IMAGE, PICTURE_TOO_LARGE
 */
export async function readPicture({ bytes, name }: SentFile, kind: PictureKind): Promise<Buffer> {
  const type = await fileTypeFromBuffer(bytes)
  // Browsers send a name without an ending for a picture that never was a file.
  const isNamed = EXTENSIONS.test(name) || !name.includes('.')
  if (!ACCEPTED.includes(type?.mime ?? '') || !isNamed || ALSO_A_DOCUMENT.test(bytes.toString('latin1')))
    throw new AppError('PICTURE_NOT_IMAGE')
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > PIXEL_LIMIT) throw new AppError('PICTURE_TOO_LARGE')
    return await withPicture(bytes, open => open().resize(PICTURE_SIZE[kind]).webp({ quality: 82 }).toBuffer())
  } catch (cause) {
    throw cause instanceof AppError ? cause : Object.assign(new AppError('PICTURE_NOT_IMAGE'), { cause })
  }
}
