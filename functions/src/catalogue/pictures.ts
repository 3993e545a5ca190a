import { randomBytes } from 'node:crypto'
import { uploadBanner, uploadHint, uploadLogo } from '@shop/shared/catalogue/picture-endpoints.ts'
import { invariant } from '@shop/shared/errors.ts'
import { type Context, callerKey, type Route, route } from '../http/route.ts'
import { type PictureKind, readPicture } from '../upload/picture.ts'

/** The folder of pictures, among the files that anyone may read. */
export const PICTURE_FOLDER = 'pictures'

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
