import type { Plugin } from 'vite'

/** The longest time that the code waits for the banner, about that of one answer on a slow phone. */
const WAIT_MS = 400

const ENTRY = /\/src\/main\.tsx$/
/** All icons are imported by one list of them, so their importers can't be told. They are left to the bundler. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//

type GetImporters = (id: string) => readonly string[]

function isNeededAtStart(id: string, getImporters: GetImporters, seen = new Set<string>()): boolean {
  if (ENTRY.test(id)) return true
  if (ICON.test(id) || seen.has(id)) return false
  seen.add(id)
  return getImporters(id).some(importer => isNeededAtStart(importer, getImporters, seen))
}

/** Puts all that every visit needs into one file, instead of one for each combination of pages that share code. */
export const startGroup = {
  name: (id: string, bundler: { getModuleInfo(id: string): { importers: readonly string[] } | null }) =>
    isNeededAtStart(id, each => bundler.getModuleInfo(each)?.importers ?? []) ? 'app' : null,
}

const START = `<script>
      Promise.race([globalThis.bannerShown, new Promise(late => setTimeout(late, ${WAIT_MS}))]).then(() =>
        document.head.append(document.getElementById('code').content),
      )
    </script>`

/**
 * Lets a slow phone paint before the code arrives. The style sheet becomes part of index.html, so that the first paint
 * waits for one answer instead of two. The script tags stay in a template until the banner of index.html is painted; on
 * other pages they are added at once.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const code: string[] = []
        const shown = html
          .replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, file: string) => {
            const sheet = bundle?.[file]
            if (sheet?.type !== 'asset') return link
            delete bundle?.[file]
            return `<style>${sheet.source}</style>`
          })
          .replace(/\s*(<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g, (_, tag: string) => {
            code.push(tag)
            return ''
          })
        return shown.replace('</body>', `  <template id="code">${code.join('')}</template>\n    ${START}\n  </body>`)
      },
    },
  }
}
