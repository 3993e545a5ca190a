import type { Plugin } from 'vite'

/** The code never waits longer than this for the banner; on a slow phone that is one answer's time. */
const WAIT_MS = 400

const ENTRY = /\/src\/main\.tsx$/
/** Icons hang on one list of them all, so who needs one can't be told: they are left to the bundler. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//

type GetImporters = (id: string) => readonly string[]

function isNeededAtStart(id: string, getImporters: GetImporters, seen = new Set<string>()): boolean {
  if (ENTRY.test(id)) return true
  if (ICON.test(id) || seen.has(id)) return false
  seen.add(id)
  return getImporters(id).some(importer => isNeededAtStart(importer, getImporters, seen))
}

/** One file for all that every visit needs, instead of one for each combination of pages that share something. */
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
 * Lets a slow phone paint before the code comes. The one style sheet goes into index.html, so that the first paint waits
 * for one answer instead of two. The code lies in a template until the banner that index.html draws is seen; on other
 * pages it starts at once.
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
