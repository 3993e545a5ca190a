// Runs in a thread of its own: looks for a QR in the picture it was started with, and posts its text or null.
import { parentPort, workerData } from 'node:worker_threads'
import decodeQr from 'qr/decode.js'

const picture = workerData as { width: number; height: number; data: Uint8Array }
let text: string | null = null
try {
  text = decodeQr(picture)
} catch {
  // There is none, or it can't be read.
}
parentPort?.postMessage(text)
