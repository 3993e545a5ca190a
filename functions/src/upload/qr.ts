import { Worker } from 'node:worker_threads'

/** Reading takes tens of milliseconds; a picture that takes longer than this was made to. */
const READ_SECONDS = 5
const MEMORY_MB = 256

/** The build packs the thread's code beside the server's. */
const threadFile = new URL(import.meta.url.endsWith('.ts') ? './qr-thread.ts' : './qr-thread.js', import.meta.url)

/**
 * The text of a QR in a picture of RGBA pixels; null when none can be read. The search would hold up every other
 * request, so it runs in a thread, which ends with it.
 */
export async function readQr(width: number, height: number, pixels: Uint8Array): Promise<string | null> {
  const data = new Uint8Array(pixels)
  const thread = new Worker(threadFile, {
    workerData: { width, height, data },
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const timer = setTimeout(() => thread.terminate(), READ_SECONDS * 1000)
  try {
    return await new Promise<string | null>(resolve => {
      thread.once('message', resolve)
      thread.once('error', () => resolve(null))
      thread.once('exit', () => resolve(null))
    })
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}
