import { AppError } from '@shop/shared/errors.ts'

/**
 * A body above its limit is read and thrown away up to this many times the limit. If the connection closed earlier, a
 * proxy in front would send an answer of its own instead of ours.
 */
const TIMES_DISCARDED = 6

/** Observes a body while it arrives. */
export interface Watcher {
  /** Called for each part before it is kept. */
  arrived(bytes: number): void
  /** Called when everything that arrived is thrown away. */
  discarded(): void
  /** Rejects when the reading must end, however little has arrived. */
  ended: Promise<never>
}

/**
 * Reads a body as it was sent. @throws PAYLOAD_TOO_LARGE or the endpoint's own code for it, and the watcher's errors
 */
export async function readRawBody(
  request: Request,
  limitBytes: number,
  tooLarge = () => new AppError('PAYLOAD_TOO_LARGE'),
  watcher?: Watcher,
): Promise<Buffer> {
  const most = limitBytes * TIMES_DISCARDED
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > most) throw tooLarge()
  // Node reads no more than the declared length, so the body can be taken whole without a stream.
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

/**
 * When the caller stops early, the rest stays unread: cancelling the stream would close the connection, and our answer
 * with it.
 */
async function* partsOf({ body }: Request, watcher: Watcher | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (;;) {
    const next = await (watcher ? Promise.race([watcher.ended, reader?.read()]) : reader?.read())
    if (!next || next.done) return
    yield next.value
  }
}
