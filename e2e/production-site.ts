// Serves a production build as Firebase Hosting would: compressed, with the SPA fallback and the API on the same origin.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listApiPaths } from '@shop/web/vite.ts'

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
  '.png': 'image/png',
}
const compressed = new Set(['.html', '.js', '.css', '.svg'])
const apiPaths = await listApiPaths()

/** Serves `folder` on a free port; API paths are passed on to `apiUrl`. */
export async function serveProduction(folder: string, apiUrl: string): Promise<{ url: string; stop: () => void }> {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site')
    if (apiPaths.some(path => pathname.startsWith(path))) return passOn(`${apiUrl}${pathname}${search}`, response)
    const asked = join(folder, pathname)
    const file = extname(pathname) && existsSync(asked) ? asked : join(folder, 'index.html')
    const kind = extname(file)
    const body = await readFile(file)
    response.setHeader('content-type', contentTypes[kind] ?? 'application/octet-stream')
    response.setHeader('cache-control', kind === '.html' ? 'no-cache' : 'public, max-age=31536000, immutable')
    if (compressed.has(kind)) response.setHeader('content-encoding', 'gzip')
    response.end(compressed.has(kind) ? gzipSync(body) : body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Only what a first visit reads: GETs without a body. */
async function passOn(url: string, response: ServerResponse): Promise<void> {
  const reply = await fetch(url)
  const contentType = reply.headers.get('content-type') ?? 'application/octet-stream'
  const body = Buffer.from(await reply.arrayBuffer())
  const isText = /json|svg|html|javascript/.test(contentType)
  response.writeHead(reply.status, { 'content-type': contentType, ...(isText && { 'content-encoding': 'gzip' }) })
  response.end(isText ? gzipSync(body) : body)
}
