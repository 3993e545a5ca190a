export interface JsonReply {
  status: number
  headers: Headers
  /** undefined when the body is not JSON. */
  body: unknown
}

/**
 * Sends an HTTP request to an outside service and reads JSON; null when no whole reply came in time. A redirect is not
 * followed, because it would take keys elsewhere.
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
    /** The request's body, if any: as JSON or as a form. */
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

/** Parses JSON; undefined when the text is not valid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
