import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { type Listening, listen } from '../listen.ts'

const GAME = /^\/game\/[^/?]+(\?|$)/
const TEXT = /html|javascript|json|svg|css/

/** Serves a built site as a hosting does: compressed, and the page of a game by the server. */
export async function startFront(sitePort: number, apiPort: number): Promise<Listening> {
  const front = createServer((asked, answer) => {
    const port = GAME.test(asked.url ?? '') ? apiPort : sitePort
    const { method, url: path, headers } = asked
    const passed = request({ host: 'localhost', port, method, path, headers }, given => passOn(asked, given, answer))
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  return listen(front, 0)
}

function passOn(asked: IncomingMessage, given: IncomingMessage, answer: ServerResponse): void {
  const { 'content-length': length, ...headers } = given.headers
  const isPacked = TEXT.test(headers['content-type'] ?? '') && !headers['content-encoding'] && asked.method !== 'HEAD'
  if (!isPacked) {
    answer.writeHead(given.statusCode ?? 502, given.headers)
    return void given.pipe(answer)
  }
  answer.writeHead(given.statusCode ?? 502, { ...headers, 'content-encoding': 'gzip' })
  given.pipe(createGzip()).pipe(answer)
}
