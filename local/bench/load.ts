import { Agent, type OutgoingHttpHeaders, request } from 'node:http'

export type Call = { method: 'GET' | 'POST'; path: string; headers?: OutgoingHttpHeaders; body?: string }

export type Measure = {
  clients: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** What the first failure said. */
  firstFailure?: string
}

/**
 * Closed loop: each client sends its next call when the last one is answered, over connections that stay open.
 * `makeCall` makes every call anew, so that bodies and keys can differ.
 */
export async function measureLoad(options: {
  origin: string
  clients: number
  seconds: number
  makeCall: () => Call
}): Promise<Measure> {
  const { origin, clients, seconds, makeCall } = options
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const timesMs: number[] = []
  let failures = 0
  let firstFailure: string | undefined
  const began = performance.now()
  const end = began + seconds * 1000
  const client = async () => {
    while (performance.now() < end) {
      const sent = performance.now()
      const failure = await send(origin, makeCall(), agent)
      timesMs.push(performance.now() - sent)
      if (failure === undefined) continue
      failures++
      firstFailure ??= failure
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const took = (performance.now() - began) / 1000
  agent.destroy()
  const sorted = timesMs.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const perSecond = (sorted.length - failures) / took
  return { clients, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), failures, firstFailure }
}

/** Resolves to what went wrong, if anything. */
function send(origin: string, { method, path, headers, body }: Call, agent: Agent): Promise<string | undefined> {
  return new Promise(resolve => {
    const sent = request(origin + path, { method, headers, agent }, reply => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => {
        text += chunk
      })
      reply.once('end', () =>
        resolve(reply.statusCode === 200 ? undefined : `${reply.statusCode} ${text.slice(0, 200)}`),
      )
      reply.once('error', error => resolve(error.message))
    })
    sent.once('error', error => resolve(error.message))
    sent.end(body)
  })
}
