import { AppError } from '@shop/shared/errors.ts'
import * as z from 'zod'
import { readJson } from '../http/ask-json.ts'

/** A cursor is opaque to its caller: JSON in base64url. */
export const writeCursor = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws INVALID_INPUT for a text that is no cursor of this list */
export function readCursor<Place>(text: string | undefined, place: z.ZodType<Place>): Place | null {
  if (text === undefined) return null
  const read = place.safeParse(readJson(Buffer.from(text, 'base64url').toString('utf8')))
  if (!read.success) throw new AppError('INVALID_INPUT', { fields: { cursor: 'ใช้ nextCursor ของหน้าก่อน' } })
  return read.data
}

/** Where lists of orders go on. */
export const orderPlace = z.object({ id: z.uuid() })
/** Where lists of a wallet's entries go on. */
export const entryPlace = z.object({ at: z.string().max(40), id: z.uuid(), balanceSatang: z.int() })
