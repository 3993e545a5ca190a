// Firebase Hosting for the rehearsal: Firebase's own rules over firebase.json, and the functions behind them.
import { request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

export interface SiteConfig {
  target: string
  public: string
}

type Handler = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void
interface Rewrite {
  function: { functionId: string; region: string }
}
type Superstatic = (options: {
  config: SiteConfig
  cwd: string
  stack: 'strict'
  compression: boolean
  fallthrough: boolean
  rewriters: { function: (rewrite: Rewrite) => Promise<Handler> }
}) => Handler

const ofFirebaseTools = createRequire(createRequire(import.meta.url).resolve('firebase-tools'))
const superstatic = (ofFirebaseTools('superstatic') as { default: Superstatic }).default

/** Serves a site of firebase.json whose folders lie in `cwd`; `functionsPort` is where functions answer by name. */
export function createSite(config: SiteConfig, cwd: string, functionsPort: number): RequestListener {
  const handler = superstatic({
    config,
    cwd,
    stack: 'strict',
    compression: true,
    fallthrough: false,
    rewriters: {
      function:
        async ({ function: { functionId } }) =>
        (request, response) =>
          passOn(request, response, { port: functionsPort, path: `/${functionId}${request.url}` }),
    },
  })
  return (request, response) => handler(request, response, () => response.writeHead(404).end())
}

/** As hosting does: the caller is appended to X-Forwarded-For, and what the function says of caches holds. */
export function passOn(request: IncomingMessage, response: ServerResponse, to: { port: number; path: string }): void {
  const caller = request.socket.remoteAddress ?? ''
  const forwarded = [request.headers['x-forwarded-for'], caller].filter(Boolean).join(', ')
  const headers = {
    ...request.headers,
    'x-forwarded-for': forwarded,
    'x-forwarded-host': request.headers.host,
    'x-forwarded-proto': 'https',
  }
  const onward = ask({ host: '127.0.0.1', ...to, method: request.method, headers }, reply => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
