import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Reading takes tens of milliseconds; a picture that takes longer than this was made to be slow. */
const READ_SECONDS = 5
const MEMORY_MB = 256

/** The build puts the thread's code beside the server's. */
const threadFile = new URL(import.meta.url.endsWith('.ts') ? './qr-thread.ts' : './qr-thread.js', import.meta.url)

/** Threads waiting for work: as many as pictures were ever read at the same time. */
const idle: Worker[] = []

/**
 * Returns the texts of the QR codes in a picture of RGBA pixels. The search would block all other requests, so it runs in
 * a thread of its own.
 */
export async function readQrs(width: number, height: number, pixels: Uint8Array): Promise<string[]> {
  const thread = idle.pop() ?? new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
  const data = new Uint8Array(pixels)
  try {
    thread.ref()
    thread.postMessage({ width, height, data }, [data.buffer])
    const [texts] = (await once(thread, 'message', { signal: AbortSignal.timeout(READ_SECONDS * 1000) })) as [string[]]
    thread.unref()
    idle.push(thread)
    return texts
  } catch {
    // It took too long or the thread failed, so the next picture gets a new thread.
    await thread.terminate()
    return []
  }
}
