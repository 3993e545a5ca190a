import { AppError } from '@shop/shared/errors.ts'
import type { Watcher } from './raw-body.ts'

/** Files in the memory of this process at one time, and of one address among them. */
const HELD_FILES = 12
const HELD_FILES_PER_ADDRESS = 4
const RETRY_AFTER_SECONDS = 3

/** A file must be here whole by then, */
const LONGEST_MS = 40_000
/** and after a while faster than that on the whole: a slip of 300 KB comes through on any line that a bank's app works on. */
const GRACE_MS = 3000
const LEAST_BYTES_PER_SECOND = 8000
const LOOK_MS = 500
/** What has arrived of files that are not here whole yet. */
const ARRIVING_BYTES = 120 * 1024 * 1024

const held = new Map<string, number>()

/**
 * Runs `work` on a file that is here whole, unless too many files are held already.
 * @throws UNAVAILABLE
 */
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

/** Whether so much of a file is too little for the time it took. */
export const isTooSlow = (bytes: number, elapsedMs: number): boolean =>
  elapsedMs > LONGEST_MS || bytes * 1000 < (elapsedMs - GRACE_MS) * LEAST_BYTES_PER_SECOND

/** A file on its way. */
interface Arriving {
  address: string
  /** In memory. */
  bytes: number
  end(error: AppError): void
}

/** In the order in which they began. */
const arriving = new Set<Arriving>()

/** What has arrived from each address. */
function bytesByAddress(): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { address, bytes } of arriving) sums.set(address, (sums.get(address) ?? 0) + bytes)
  return sums
}

/** Whom room is made at the cost of: the first of the address that takes most. */
function firstOfLargest(): Arriving {
  const sums = [...bytesByAddress()]
  const [largest] = sums.reduce((most, each) => (each[1] > most[1] ? each : most))
  return [...arriving].find(({ address, bytes }) => address === largest && bytes > 0)!
}

const isFull = () => [...arriving].reduce((sum, { bytes }) => sum + bytes, 0) > ARRIVING_BYTES

/**
 * Watches over a file that arrives. It takes no place yet, only the room of what is here of it: whoever sends slowly keeps
 * nobody out. Where all of them need too much, those of the address that takes most end.
 * @throws UPLOAD_TOO_SLOW, UNAVAILABLE, through the watcher
 */
export async function watchArriving<T>(address: string, read: (watcher: Watcher) => Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // Told to nobody once the file is here.
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
