import { AppError } from '@shop/shared/errors.ts'

/**
 * A body above its limit is still read to its end up to this many times the limit, and thrown away: a proxy in front
 * that finds the connection closed while it sends gives an answer of its own instead of ours.
 */
const TIMES_DISCARDED = 6

/** What looks on while a body arrives. */
export interface Watcher {
  /** Of each part, before it is kept. */
  arrived(bytes: number): void
  /** All that arrived is thrown away. */
  discarded(): void
  /** Rejects once the reading is to end, however little arrives. */
  ended: Promise<never>
}

/** A body as it was sent. @throws PAYLOAD_TOO_LARGE, or what the endpoint calls it; what the watcher says */
export async function readRawBody(
  request: Request,
  limitBytes: number,
  tooLarge = () => new AppError('PAYLOAD_TOO_LARGE'),
  watcher?: Watcher,
): Promise<Buffer> {
  const most = limitBytes * TIMES_DISCARDED
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > most) throw tooLarge()
  // Node reads no more than was declared; taken whole it needs no stream.
  if (declared <= limitBytes && !watcher) return Buffer.from(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of partsOf(request, watcher)) {
    size += chunk.byteLength
    if (size > most) throw tooLarge()
    watcher?.arrived(chunk.byteLength)
    if (size <= limitBytes) chunks.push(chunk)
    else {
      chunks.length = 0
      watcher?.discarded()
    }
  }
  if (size > limitBytes) throw tooLarge()
  return Buffer.concat(chunks)
}

/** Whoever stops leaves the rest unread: a stream that is cancelled takes the connection, and so our answer, with it. */
async function* partsOf({ body }: Request, watcher: Watcher | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (;;) {
    const next = await (watcher ? Promise.race([watcher.ended, reader?.read()]) : reader?.read())
    if (!next || next.done) return
    yield next.value
  }
}
