import { AppError } from '@shop/shared/errors.ts'

/**
 * A body above its limit is still read to its end up to this many times the limit, and thrown away: a proxy in front
 * that finds the connection closed while it sends gives an answer of its own instead of ours.
 */
const TIMES_DISCARDED = 6

/** A body as it was sent. @throws PAYLOAD_TOO_LARGE, or what the endpoint calls it */
export async function readRawBody(
  request: Request,
  limitBytes: number,
  tooLarge = () => new AppError('PAYLOAD_TOO_LARGE'),
): Promise<Buffer> {
  const most = limitBytes * TIMES_DISCARDED
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > most) throw tooLarge()
  // Node reads no more than was declared; taken whole it needs no stream.
  if (declared <= limitBytes) return Buffer.from(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw tooLarge()
    if (size <= limitBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  if (size > limitBytes) throw tooLarge()
  return Buffer.concat(chunks)
}
