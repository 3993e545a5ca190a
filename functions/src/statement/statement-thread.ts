// Runs in a thread of its own, and answers with the content of the file it was started with.
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '@shop/shared/errors.ts'
import { parseStatement, type StatementOptions } from './parse-statement.ts'
import type { StatementAnswer } from './read-statement.ts'

const { bytes, options } = workerData as { bytes: Uint8Array; options: StatementOptions }
parentPort?.postMessage(answer())

function answer(): StatementAnswer {
  try {
    return { read: parseStatement(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: error.status, error: error.toBody() }
  }
}
