import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'

/** The files of the page: Swagger UI's own, served from here and not from a CDN. */
export const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

/** The folder of these files during development. */
export const findDocsPackage = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Game top-up shop API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <style>
      body { margin: 0 }
      .swagger-ui .info { margin: 24px 0 }
    </style>
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** A separate file, so that the page needs no inline script. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

/** Also that of the resellers' guide. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"

/** Serves the browsable page of `/openapi.json` at `/docs`. */
export function registerDocs(app: Hono): void {
  app.get('/docs', c => c.html(PAGE, 200, { 'content-security-policy': CONTENT_SECURITY_POLICY }))
  app.get('/docs/start.js', c => c.body(START, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  for (const file of DOCS_FILES) {
    const contentType = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    app.get(`/docs/${file}`, async c => {
      const body = await readFile(join(findDocsFolder(), file))
      return c.body(new Uint8Array(body), 200, {
        'content-type': contentType,
        'cache-control': 'public, max-age=86400',
      })
    })
  }
}

/** The build puts these files beside the packaged server. */
function findDocsFolder(): string {
  const packaged = fileURLToPath(new URL('docs', import.meta.url))
  return existsSync(packaged) ? packaged : findDocsPackage()
}
