import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError, type ErrorBody } from '@shop/shared/errors.ts'
import { createQueue } from '../upload/queue.ts'
import { MAX_BYTES } from './limits.ts'
import type { ReadStatement, StatementOptions } from './parse-statement.ts'

/** The largest honest file takes a few seconds; one that takes longer than this was made to be slow. */
const READ_SECONDS = 30
const RESOURCES = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 48 }
/** Only one file is read at a time, because that may need half of the server's memory. */
const inTurn = createQueue({ atOnce: 1, waitSeconds: 60 })

/** The build puts the thread's code beside the server's. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './statement-thread.ts' : './statement-thread.js',
  import.meta.url,
)

/** The thread's answer. */
export type StatementAnswer = { read: ReadStatement } | { status: number; error: ErrorBody }

/**
 * Reads a bank's file by the given mapping, a saved one or a known layout. Reading would block all other requests, so it
 * runs in a thread of its own, which ends afterwards and frees its memory.
 * @throws STATEMENT_UNREADABLE, STATEMENT_TOO_LARGE, STATEMENT_TOO_COMPLEX, STATEMENT_KIND, STATEMENT_ENCRYPTED,
 * STATEMENT_CUT_OFF, STATEMENT_GARBLED, and UNAVAILABLE when too many files wait
 */
export async function readStatement(
  bytes: Buffer,
  options: StatementOptions,
  seconds = READ_SECONDS,
): Promise<ReadStatement> {
  if (bytes.length > MAX_BYTES) throw new AppError('STATEMENT_TOO_LARGE')
  return inTurn(async () => {
    const thread = new Worker(threadFile, { workerData: { bytes, options }, resourceLimits: RESOURCES })
    try {
      const signal = AbortSignal.timeout(seconds * 1000)
      const [answer] = (await once(thread, 'message', { signal })) as [StatementAnswer]
      if ('error' in answer) throw AppError.fromBody(answer.status, answer.error)
      return answer.read
    } catch (cause) {
      const { name, code } = cause as NodeJS.ErrnoException
      const isTooMuch = name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw isTooMuch ? new AppError('STATEMENT_TOO_COMPLEX', { cause }) : cause
    } finally {
      await thread.terminate()
    }
  })
}
