import type { Reply } from '@shop/shared/endpoint.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { createShopClient } from '../api.ts'
import { ensureGuestKey } from '../guest-key.ts'

/** A `fetch` that tells how much has been sent, which the browser's own does not. */
function createReportingFetch(onProgress: (share: number) => void): typeof fetch {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init?.method ?? 'GET', String(url))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('network'))
      init?.signal?.addEventListener('abort', () => {
        request.abort()
        reject(init.signal?.reason)
      })
      request.send(init?.body as XMLHttpRequestBodyInit)
    })
}

/** Sends a slip. Resolves with what the server found on it; rejects with its `AppError`, e.g. SLIP_REUSED. */
export async function sendSlip(
  file: File,
  options: { idempotencyKey: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<Reply<typeof uploadSlip>> {
  ensureGuestKey()
  const client = createShopClient(createReportingFetch(options.onProgress))
  return client.call(uploadSlip, { file, idempotencyKey: options.idempotencyKey }, options.signal)
}
