import type { Plugin } from 'vite'

/** The longest time that the code waits for the banner, about that of one answer on a slow phone. */
const WAIT_MS = 400

/** What is loaded for a page beside the code of the start, by the path that a link or a reload opens. */
const PAGES: Record<string, string> = {
  '^/game/[^/]+$': 'buying/purchase-screen.tsx',
  '^/terms$': 'buying/terms-screen.tsx',
  '^/payment$': 'orders/payment-screen.tsx',
  '^/thankyou$': 'orders/thank-you-screen.tsx',
  '^/track/': 'orders/track-screen.tsx',
  '^/purchase/history$': 'orders/history-screen.tsx',
  '^/purchase/details/': 'orders/order-screen.tsx',
  '^/login$': 'account/login-screen.tsx',
  // What LINE opens first only leads on to the real address.
  '^liff$': 'liff.ts',
}

type Bundle = Record<string, { type: string; source?: unknown; moduleIds?: string[]; imports?: string[] }>

/** Finds the files that a module's code needs before it can run. */
function filesOf(module: string, bundle: Bundle): string[] {
  const files = new Set<string>()
  const add = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const needed of bundle[file]?.imports ?? []) add(needed)
  }
  const own = Object.keys(bundle).find(file => bundle[file]!.moduleIds?.some(id => id.endsWith(`/src/${module}`)))
  if (own) add(own)
  return [...files]
}

/** The links that begin to load a page's code together with that of the start, instead of one after the other. */
function preloadsOf(bundle: Bundle): string {
  const start = filesOf('main.tsx', bundle)
  return Object.entries(PAGES)
    .map(([path, module]) => {
      const links = filesOf(module, bundle)
        .filter(file => !start.includes(file))
        .map(file => `<link rel="modulepreload" crossorigin href="/${file}">`)
      return `<template data-path="${path}">${links.join('')}</template>`
    })
    .join('\n    ')
}

// The names of files change with each build, so they stand in templates: a script that changed would need another hash in
// the hosting policy.
const START = `<script>
      const opened = location.search.includes('liff.state=') ? 'liff' : location.pathname
      for (const { dataset, content } of document.querySelectorAll('template[data-path]'))
        if (new RegExp(dataset.path).test(opened)) document.head.append(content)
      Promise.race([globalThis.bannerShown, new Promise(late => setTimeout(late, ${WAIT_MS}))]).then(() =>
        document.head.append(document.getElementById('code').content),
      )
    </script>`

/**
 * Lets a slow phone paint before the code arrives. The style sheet becomes part of index.html, so that the first paint
 * waits for one answer instead of two. The script tags stay in a template until the banner of index.html is painted; on
 * other pages they are added at once, with those of the page's own code.
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
        const templates = `<template id="code">${code.join('')}</template>\n    ${preloadsOf((bundle ?? {}) as Bundle)}`
        return shown.replace('</body>', `  ${templates}\n    ${START}\n  </body>`)
      },
    },
  }
}
