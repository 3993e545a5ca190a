import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstPaint, startGroup } from './vite-first-paint.ts'
import { lineInDevelopment } from './vite-line.ts'

const port = Number(process.env.STOREFRONT_PORT ?? 5173)
const api = process.env.API_URL ?? 'http://localhost:8787'
const callables = ['/createCustomToken', '/updateUser']
const apiPaths = ['/romons.', ...callables, '/openapi.json', '/docs', '/files']
const proxy = Object.fromEntries(apiPaths.map(path => [path, { target: api }]))

/** `font-display: optional` shows the font on a first visit only if it is already there at first paint. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter(file => file.endsWith('.woff2'))
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** During development code comes in many small files and the font always too late for `optional`: it swaps in instead. */
function swapFonts(): Plugin {
  return {
    name: 'swap-fonts',
    apply: 'serve',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/style\.css(\?|$)/ },
      handler: code => ({ code: code.replaceAll('font-display: optional', 'font-display: swap'), map: null }),
    },
  }
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    preloadFonts(),
    swapFonts(),
    firstPaint(),
    lineInDevelopment(process.env.VITE_LINE_EMULATOR_URL),
  ],
  resolve: { alias: [{ find: /^zod$/, replacement: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) }] },
  server: { port, strictPort: true, proxy },
  preview: { port, strictPort: true, proxy },
  build: {
    target: 'baseline-widely-available',
    rolldownOptions: {
      // Calls of the contract that no page makes (staff's) can then be left out.
      treeshake: { manualPureFunctions: ['endpoint', 'z'] },
      output: { codeSplitting: { groups: [startGroup] } },
    },
  },
})
