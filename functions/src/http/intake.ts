import { AppError } from '@shop/shared/errors.ts'

/** Files in the memory of this process at one time, and of one address among them. */
const HELD_FILES = 12
const HELD_FILES_PER_ADDRESS = 4
const RETRY_AFTER_SECONDS = 3

const held = new Map<string, number>()

/**
 * Runs `work`, which reads a file and works on it, unless too many files are held already.
 * @throws UNAVAILABLE, before anything of the file is read
 */
export async function holdFile<T>(address: string, work: () => Promise<T>): Promise<T> {
  const ofAddress = held.get(address) ?? 0
  const all = [...held.values()].reduce((sum, count) => sum + count, 0)
  if (all >= HELD_FILES || ofAddress >= HELD_FILES_PER_ADDRESS) {
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  held.set(address, ofAddress + 1)
  try {
    return await work()
  } finally {
    const left = held.get(address)! - 1
    if (left > 0) held.set(address, left)
    else held.delete(address)
  }
}
