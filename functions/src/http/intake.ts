import { AppError } from '@shop/shared/errors.ts'
import type { Watcher } from './raw-body.ts'

/** The most files that this process holds in memory at one time; fewer of them may come from one address. */
const HELD_FILES = 12
const HELD_FILES_PER_ADDRESS = 4
const RETRY_AFTER_SECONDS = 3

/** An upload must be complete within this time. */
const LONGEST_MS = 40_000
/** After this time an upload must have brought the least number of bytes for each further second. */
const GRACE_MS = 3000
/** A slip of 300 KB is this fast on any line on which a bank's app works. */
const LEAST_BYTES_PER_SECOND = 8000
const LOOK_MS = 500
/** The most memory that all incomplete uploads together may use. */
const ARRIVING_BYTES = 120 * 1024 * 1024

const held = new Map<string, number>()

/** Runs `work` on a complete file, unless too many files are held already. @throws UNAVAILABLE */
export async function holdFile<T>(address: string, work: () => Promise<T>): Promise<T> {
  const ofAddress = held.get(address) ?? 0
  const all = [...held.values()].reduce((sum, count) => sum + count, 0)
  if (all >= HELD_FILES || ofAddress >= HELD_FILES_PER_ADDRESS) throw tooMany()
  held.set(address, ofAddress + 1)
  try {
    return await work()
  } finally {
    const left = held.get(address)! - 1
    if (left > 0) held.set(address, left)
    else held.delete(address)
  }
}

const tooMany = () => new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Tells whether this many bytes are too few for the elapsed time. */
export const isTooSlow = (bytes: number, elapsedMs: number): boolean =>
  elapsedMs > LONGEST_MS || bytes * 1000 < (elapsedMs - GRACE_MS) * LEAST_BYTES_PER_SECOND

/** An incomplete upload. */
interface Arriving {
  address: string
  /** The bytes of it that are in memory. */
  bytes: number
  end(error: AppError): void
}

/** Incomplete uploads, oldest first. */
const arriving = new Set<Arriving>()

/** Returns how many bytes have arrived from each address. */
function bytesByAddress(): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { address, bytes } of arriving) sums.set(address, (sums.get(address) ?? 0) + bytes)
  return sums
}

/** Returns the upload that ends when memory is needed: the oldest of the address that uses most. */
function firstOfLargest(): Arriving {
  const sums = [...bytesByAddress()]
  const [largest] = sums.reduce((most, each) => (each[1] > most[1] ? each : most))
  return [...arriving].find(({ address, bytes }) => address === largest && bytes > 0)!
}

const isFull = () => [...arriving].reduce((sum, { bytes }) => sum + bytes, 0) > ARRIVING_BYTES

/**
 * Watches an incomplete upload. It counts only by its bytes so far and takes no place for a file, so a slow sender
 * keeps nobody out. When all together need too much memory, uploads of the address that uses most are ended. `ended`
 * rejects with UPLOAD_TOO_SLOW or UNAVAILABLE.
 */
export async function watchArriving<T>(address: string, read: (watcher: Watcher) => Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // Once the file is complete, nobody waits for this promise, and its rejection must not end the process.
  ended.catch(() => {})
  const started = performance.now()
  let received = 0
  const file: Arriving = {
    address,
    bytes: 0,
    end(error) {
      file.bytes = 0
      arriving.delete(file)
      reject(error)
    },
  }
  arriving.add(file)
  const look = setInterval(() => {
    if (isTooSlow(received, performance.now() - started)) file.end(new AppError('UPLOAD_TOO_SLOW'))
  }, LOOK_MS)
  try {
    return await read({
      ended,
      arrived(bytes) {
        received += bytes
        file.bytes += bytes
        while (isFull()) firstOfLargest().end(tooMany())
      },
      discarded() {
        file.bytes = 0
      },
    })
  } finally {
    clearInterval(look)
    arriving.delete(file)
  }
}
