import { currentRequestId, REQUEST_ID } from './request-id.ts'

/** A binary or CSV answer; a stream is read as fast as the caller takes it. */
export interface FileReply {
  body: Uint8Array | ReadableStream<Uint8Array>
  contentType: string
  /** When it is set, the browser offers the answer as a download with this name. */
  fileName?: string
}

export function fileResponse({ body, contentType, fileName }: FileReply): Response {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    [REQUEST_ID]: currentRequestId() ?? '',
  }
  if (fileName) headers['content-disposition'] = `attachment; filename="${fileName}"`
  return new Response(body as ConstructorParameters<typeof Response>[0], { headers })
}
