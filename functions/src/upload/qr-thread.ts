// Runs in a thread of its own, and answers each picture with the texts of its QR codes.
import { parentPort } from 'node:worker_threads'
import { readQrTexts } from '@shop/shared/upload/qr-texts.ts'

parentPort?.on('message', (picture: Parameters<typeof readQrTexts>[0]) => parentPort?.postMessage(readQrTexts(picture)))
