import type { Hono } from 'hono'
import { CONTENT_SECURITY_POLICY } from '../http/docs.ts'
import type { Shop } from '../shop/shop.ts'
import { ASSETS, EXAMPLES, readGuideFile } from './docs/files.ts'
import { EXAMPLES_PATH } from './docs/fills.ts'
import { readGuide } from './docs/guide.ts'
import { pageOf, pathOf } from './docs/page.ts'
import { LANGUAGES } from './docs/words.ts'
import { DOCS_PATH, DOCUMENT_PATH, resellerDocument } from './openapi.ts'

const KEPT = { 'cache-control': 'public, max-age=300' }

/** Serves the document of the resellers' API at `/reseller/openapi.json` and its guide at `/reseller/docs`. */
export function registerResellerDocs(app: Hono, { config }: Pick<Shop, 'config'>): void {
  const origin = new URL(config.STOREFRONT_URL).origin
  let document: object | undefined
  app.get(DOCUMENT_PATH, c => {
    document ??= resellerDocument(origin)
    return c.json(document, 200, KEPT)
  })
  for (const language of LANGUAGES) {
    let page: string | undefined
    app.get(pathOf(language), async c => {
      page ??= pageOf(await readGuide({ origin, limits: config.limits }, language), language)
      return c.html(page, 200, { ...KEPT, 'content-security-policy': CONTENT_SECURITY_POLICY })
    })
  }
  for (const [file, contentType] of Object.entries(ASSETS)) {
    app.get(`${DOCS_PATH}/${file}`, async c =>
      c.body(await readGuideFile(file as keyof typeof ASSETS), 200, { ...KEPT, 'content-type': contentType }),
    )
  }
  for (const file of EXAMPLES) {
    app.get(EXAMPLES_PATH + file, async c =>
      c.body(await readGuideFile(`examples/${file}`), 200, { ...KEPT, 'content-type': 'text/plain; charset=utf-8' }),
    )
  }
}
