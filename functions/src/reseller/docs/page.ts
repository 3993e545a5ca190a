import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { keysOf } from '@shop/shared/table.ts'
import { DOCS_PATH, DOCUMENT_PATH } from '../openapi.ts'
import { operationOf, TAGS } from '../operations.ts'
import type { Section } from './guide.ts'
import { escaped } from './html.ts'
import { LANGUAGES, type Language, WORDS, type Words } from './words.ts'

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

const navigation = (sections: readonly Section[], words: Words): string => `
<nav id="contents" aria-label="${words.contents}">
  <h2>${words.guide}</h2>
  <ul>${sectionLinks(sections)}</ul>
  <h2><a href="#reference">${words.reference}</a></h2>
  ${keysOf(TAGS)
    .map(tag => `<div class="group"><h3>${words.tags[tag]}</h3><ul>${callLinks(tag)}</ul></div>`)
    .join('')}
</nav>`

const sectionHtml = ({ id, title, html }: Section): string =>
  `<section id="${id}"><h2><a class="anchor" href="#${id}">${escaped(title)}</a></h2>${html}</section>`

/** The address of the page in a language. */
export const pathOf = (language: Language): string =>
  language === LANGUAGES[0] ? DOCS_PATH : `${DOCS_PATH}/${language}`

/** The whole page: the guide, then the reference, which a script fills from the document. */
export function pageOf(sections: readonly Section[], language: Language): string {
  const words = WORDS[language]
  const other = LANGUAGES.find(each => each !== language)!
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${words.title} · ${escaped(SHOP_NAME)}</title>
    <meta name="description" content="${words.lead}" />
    <link rel="alternate" hreflang="${other}" href="${pathOf(other)}" />
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/reseller/docs/guide.css" />
    <link rel="stylesheet" href="/reseller/docs/blocks.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/reseller/docs/guide.js" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#main">${words.skip}</a>
    <header>
      <p class="title"><a href="#top"><span lang="th">${escaped(SHOP_NAME)}</span> <b>${words.title}</b></a></p>
      <form role="search" class="search">
        <label class="unseen" for="find">${words.search}</label>
        <input id="find" type="search" placeholder="${words.placeholder}" autocomplete="off" spellcheck="false" />
        <output id="found" for="find"></output>
      </form>
      <a class="language" lang="${other}" hreflang="${other}" href="${pathOf(other)}">${words.other}</a>
      <button type="button" id="menu" aria-expanded="false" aria-controls="contents">${words.contents}</button>
    </header>
    ${navigation(sections, words)}
    <main id="main">
      <div id="top">
        <h1>${words.title}</h1>
        <p class="lead">${words.lead}</p>
      </div>
      <p id="nothing" hidden>${words.nothing}</p>
      ${sections.map(sectionHtml).join('\n')}
      <section id="reference">
        <h2><a class="anchor" href="#reference">${words.reference}</a></h2>
        <p>${words.aboutReference(DOCUMENT_PATH)}</p>
        <div id="calls"><p class="waiting" role="status">${words.loading}</p></div>
      </section>
    </main>
  </body>
</html>
`
}
