/**
 * `fetch` for one file: the same answer, but sent by XMLHttpRequest, which alone tells how much has left the machine.
 * `onSent` hears fractions from 0 to 1.
 */
export const fetchWithProgress =
  (onSent: (fraction: number) => void): typeof fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(url))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onSent(loaded / total)
      request.upload.onload = () => onSent(1)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('the file could not be sent'))
      request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as XMLHttpRequestBodyInit)
    })
