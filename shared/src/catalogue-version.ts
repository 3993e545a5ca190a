import * as z from 'zod'
import { bangkokDayNumber } from './time.ts'

/** The header with the version of the catalogue that an answer was made from. */
export const CATALOGUE_VERSION = 'catalogue-version'

/**
 * The query of reads of the catalogue: the answer has this version or a later one. It is part of the address, so no
 * cache on the way holds an older answer for it.
 */
export const ofVersion = z.object({ version: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() })

/** More changes than a shop will ever make. */
const CHANGES = 1e9

/**
 * Returns the version for clients. It also grows at midnight, when sales and next prices begin and end without any
 * write.
 */
export const toldVersion = (version: number, now: Date): number => bangkokDayNumber(now) * CHANGES + version

/** Returns the stored version within a client's version. */
export const storedVersion = (told: number): number => told % CHANGES
