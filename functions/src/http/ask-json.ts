export interface JsonReply {
  status: number
  headers: Headers
  /** undefined when it is no JSON. */
  body: unknown
}

/**
 * Asks somebody outside for JSON over HTTP; null when no whole reply came in time. A redirect is none: it would take keys
 * elsewhere.
 */
export async function askJson(
  url: string,
  {
    json,
    form,
    headers,
    timeoutMs,
    method = json || form ? 'POST' : 'GET',
  }: {
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    /** What is sent, if anything: as JSON or as a form. */
    json?: object
    form?: URLSearchParams
    timeoutMs: number
  },
): Promise<JsonReply | null> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(json && { 'content-type': 'application/json' }), ...headers },
      body: json ? JSON.stringify(json) : form,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, headers: response.headers, body: readJson(await response.text()) }
  } catch {
    return null
  }
}

/** What a text says as JSON; undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
