import * as z from 'zod'
import { bangkokDayNumber } from './time.ts'

/** The header in which an answer names the version of the catalogue that it was made of. */
export const CATALOGUE_VERSION = 'catalogue-version'

/**
 * The query of reads that follow from the catalogue: the answer is of this version or a later one. It is part of the address,
 * so no cache on the way has an older answer for it.
 */
export const ofVersion = z.object({ version: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() })

/** More changes than a shop makes. */
const CHANGES = 1e9

/** The version as it is told: it also grows at midnight, when sales and next prices begin and end and nobody writes anything. */
export const toldVersion = (version: number, now: Date): number => bangkokDayNumber(now) * CHANGES + version

/** The stored version in one that was told. */
export const storedVersion = (told: number): number => told % CHANGES
