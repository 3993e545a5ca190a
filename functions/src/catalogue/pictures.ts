import { randomBytes } from 'node:crypto'
import { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { AppError, errorMessage, invariant } from '@shop/shared/errors.ts'
import { type Context, callerKey, type Route, route } from '../call/route.ts'
import type { Files } from '../upload/files.ts'
import { type PictureKind, readPicture } from '../upload/picture.ts'

/** The folder of pictures, among the files that anyone may read. */
export const PICTURE_FOLDER = 'pictures'

/** Matches the address of a picture as `uploadPicture` gives it. */
const UPLOADED = new RegExp(`^/files/(${PICTURE_FOLDER}/[\\w-]{22}\\.webp)$`)

/**
 * Makes sure that each picture which a save brings in was uploaded here and is still there; pictures that the saved
 * version has already are not asked about. It runs under the catalogue's lock, and so does the sweep of unused pictures,
 * so none is deleted between this and the save. @throws PICTURE_NOT_FOUND naming the fields
 */
export async function mustBeUploaded<Pictures extends Record<string, string>>(
  files: Pick<Files, 'has'>,
  pictures: Pictures,
  saved: NoInfer<Pictures> | null,
): Promise<void> {
  const missing: string[] = []
  for (const [field, picture] of Object.entries(pictures)) {
    if (picture === '' || picture === saved?.[field]) continue
    const key = UPLOADED.exec(picture)?.[1]
    if (!key || !(await files.has(`public/${key}`))) missing.push(field)
  }
  if (missing.length === 0) return
  const message = errorMessage('PICTURE_NOT_FOUND')
  throw new AppError('PICTURE_NOT_FOUND', { fields: Object.fromEntries(missing.map(field => [field, message])) })
}

/** Stores a picture under a name that was never used before, so that caches may keep it for ever. */
async function uploadPicture(context: Context, kind: PictureKind) {
  const { shop, file } = context
  invariant(file, 'the endpoint takes a file')
  await shop.limits.take('uploadsPerCaller', callerKey(context))
  const body = await readPicture(file, kind)
  const key = `${PICTURE_FOLDER}/${randomBytes(16).toString('base64url')}.webp`
  await shop.files.write(`public/${key}`, body, 'image/webp')
  return { url: `/files/${key}` }
}

export const pictureRoutes: Route[] = [
  route(uploadLogo, (_, context) => uploadPicture(context, 'logo')),
  route(uploadHint, (_, context) => uploadPicture(context, 'hint')),
  route(uploadBanner, (_, context) => uploadPicture(context, 'banner')),
]
