import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** The header of an answer that names its request. */
export const REQUEST_ID = 'x-request-id'

const running = new AsyncLocalStorage<string>()

/** Both headers carry the same trace: 32 hexadecimal digits, of which not all are zero. */
const TRACE = {
  traceparent: /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/,
  'x-cloud-trace-context': /^(?!0{32})([\da-f]{32})(?:\/|$)/,
} as const

export const newRequestId = (): string => randomBytes(16).toString('hex')

/** Returns the platform's trace of a request, or an id that is made here where there is none. */
export function requestIdOf(header: (name: string) => string | undefined): string {
  const traces = Object.entries(TRACE).map(([name, form]) => form.exec(header(name) ?? '')?.[1])
  return traces.find(Boolean) ?? newRequestId()
}

/** Runs work for a request: all that it logs and all jobs that it stores name the request. */
export const asRequest = <T>(id: string, work: () => T): T => running.run(id, work)

/** For what is told by a connection that outlives the request it was opened for. */
export const outsideRequests = <T>(work: () => T): T => running.exit(work)

/** The request that this work is done for; null outside of requests and jobs. */
export const currentRequestId = (): string | null => running.getStore() ?? null
