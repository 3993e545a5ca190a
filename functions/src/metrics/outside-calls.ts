import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Labels } from './instruments.ts'

/** What Node's `fetch` tells of a call, on the channels that it documents. */
interface Told {
  request: { origin: string | URL; method: string }
  response?: { statusCode: number }
  error?: Error
}

/** Hears of every call by `fetch` in this process. Returns what ends it. */
export function hearOutsideCalls(tell: (seconds: number, labels: Labels<'outsideDuration'>) => void): () => void {
  const began = new WeakMap<object, number>()
  const end = ({ request, response, error }: Told) => {
    const at = began.get(request)
    if (at === undefined) return
    began.delete(request)
    tell((performance.now() - at) / 1000, {
      'server.address': new URL(request.origin).hostname,
      'http.request.method': request.method,
      ...(response && { 'http.response.status_code': response.statusCode }),
      ...(error && { 'error.type': (error as { code?: string }).code ?? error.name }),
    })
  }
  const heard = {
    'undici:request:create': ({ request }: Told) => began.set(request, performance.now()),
    'undici:request:headers': end,
    'undici:request:error': end,
  }
  for (const [channel, listener] of Object.entries(heard)) subscribe(channel, listener as never)
  return () => {
    for (const [channel, listener] of Object.entries(heard)) unsubscribe(channel, listener as never)
  }
}
