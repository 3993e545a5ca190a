// Runs in a thread of its own, and answers each picture with the text of its QR code, or null.
import { parentPort } from 'node:worker_threads'
import decodeQr from 'qr/decode.js'

type Picture = Parameters<typeof decodeQr>[0]

parentPort?.on('message', (picture: Picture) => parentPort?.postMessage(textOf(picture)))

function textOf(picture: Picture): string | null {
  try {
    return decodeQr(picture)
  } catch {
    // There is no QR code, or it can't be read.
    return null
  }
}
