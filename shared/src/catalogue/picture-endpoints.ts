import * as z from 'zod'
import { endpoint } from '../endpoint.ts'

/** Sizes in which screens show pictures: a logo 228x228, a banner 1000x500, a hint at most 1000x1000. */
const uploadPicture = (path: string, summary: string, allow: 'catalogue.manage' | 'settings.pay') =>
  endpoint({
    method: 'POST',
    path,
    summary,
    allow,
    bodyKind: 'file',
    reply: z.object({ url: z.string() }),
    errors: ['PICTURE_NOT_IMAGE', 'PICTURE_TOO_LARGE', 'RATE_LIMITED'],
  })
export const uploadLogo = uploadPicture(
  '/romons.game/api/games/uploadlogo',
  'Stores a logo, cut to 228x228',
  'catalogue.manage',
)
export const uploadHint = uploadPicture(
  '/romons.game/api/games/uploadhint',
  'Stores the picture of a hint',
  'catalogue.manage',
)
export const uploadBanner = uploadPicture(
  '/romons.configuration/api/upload',
  'Stores a banner, cut to 1000x500',
  'settings.pay',
)
