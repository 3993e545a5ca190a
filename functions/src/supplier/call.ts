import type { Told } from './provider.ts'

export interface JsonReply {
  status: number
  body: unknown
}

/** Calls over HTTP; null when no whole reply came in time. `body` is undefined when it is no JSON. A redirect is none. */
export async function callSupplier(
  url: string,
  options: { method: 'GET' | 'POST'; body?: URLSearchParams; timeoutMs: number },
): Promise<JsonReply | null> {
  try {
    const response = await fetch(url, {
      method: options.method,
      body: options.body,
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    const told = await response.text()
    return { status: response.status, body: parseJson(told) }
  } catch {
    return null
  }
}

function parseJson(told: string): unknown {
  try {
    return JSON.parse(told)
  } catch {
    return undefined
  }
}

/** An answer without anything beside it. */
export const notTold = <Answer>(answer: Answer): Told<Answer> => ({
  answer,
  httpStatus: null,
  code: null,
  message: null,
  theirId: null,
  costSatang: null,
})
