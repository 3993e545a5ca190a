import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { DOCUMENT_PATH } from '../openapi.ts'
import { operationOf, TAGS } from '../operations.ts'
import type { Section } from './guide.ts'
import { escaped } from './html.ts'

const calls = V1_ENDPOINTS.map(({ method, path, summary }) => ({
  method,
  path: path.replace(/:(\w+)/g, '{$1}'),
  summary,
  ...operationOf({ method, path }),
}))

const sectionLinks = (sections: readonly Section[]): string =>
  sections.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('')

/** What finds a call stands in its link: by a script the search reads it there and in the reference. */
const callLinks = (tag: string): string =>
  calls
    .filter(call => call.tag === tag)
    .map(
      ({ id, method, path, summary }) =>
        `<li data-find="${escaped(`${method} ${path} ${summary} ${id} ${tag}`)}"><a href="#/${tag}/${id}"><span class="method ${method.toLowerCase()}">${method}</span>${id}</a></li>`,
    )
    .join('')

const navigation = (sections: readonly Section[]): string => `
<nav id="contents" aria-label="Contents">
  <h2>Guide</h2>
  <ul>${sectionLinks(sections)}</ul>
  <h2><a href="#reference">Reference</a></h2>
  ${Object.keys(TAGS)
    .map(tag => `<div class="group"><h3>${tag}</h3><ul>${callLinks(tag)}</ul></div>`)
    .join('')}
</nav>`

const sectionHtml = ({ id, title, html }: Section): string =>
  `<section id="${id}"><h2><a class="anchor" href="#${id}">${escaped(title)}</a></h2>${html}</section>`

/** The whole page: the guide, then the reference, which a script fills from the document. */
export const pageOf = (sections: readonly Section[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API for resellers · ${escaped(SHOP_NAME)}</title>
    <meta name="description" content="Sell game top-ups and codes from your own programs." />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/reseller/docs/guide.css" />
    <link rel="stylesheet" href="/reseller/docs/blocks.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/reseller/docs/guide.js" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the text</a>
    <header>
      <p class="title"><a href="#top"><span lang="th">${escaped(SHOP_NAME)}</span> <b>API for resellers</b></a></p>
      <form role="search" class="search">
        <label class="unseen" for="find">Search the guide and the calls</label>
        <input id="find" type="search" placeholder="Search guide and calls" autocomplete="off" spellcheck="false" />
        <output id="found" for="find"></output>
      </form>
      <button type="button" id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
    </header>
    ${navigation(sections)}
    <main id="main">
      <div id="top">
        <h1>API for resellers</h1>
        <p class="lead">Sell game top-ups and codes from your own programs: your prices, your wallet, your reference numbers. JSON over HTTPS, one key in a header, a test mode with play money, and webhooks.</p>
      </div>
      <p id="nothing" hidden>Nothing here has all these words.</p>
      ${sections.map(sectionHtml).join('\n')}
      <section id="reference">
        <h2><a class="anchor" href="#reference">Reference</a></h2>
        <p>Every call of <a href="${DOCUMENT_PATH}">the document</a>, and a place to try it: press <b>Authorize</b>, paste a <b>test</b> key and press <b>Execute</b> in a call. The key is forgotten when you leave the page; live keys are refused here.</p>
        <div id="calls"><p class="waiting" role="status">Loading the calls…</p></div>
      </section>
    </main>
  </body>
</html>
`
