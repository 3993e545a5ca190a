import { createRequire } from 'node:module'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const port = Number(process.env.ADMIN_PORT ?? 5174)
const api = process.env.API_URL ?? 'http://localhost:8787'
const apiPaths = [
  '/romons.',
  '/openapi.json',
  '/docs',
  '/files',
  '/createCustomToken',
  '/setUserRole',
  '/updateUser',
  '/updateUserAuthentication',
  '/setCustomAgentClaims',
  '/createAgentUser',
  '/updateAgentUser',
]
const proxy = Object.fromEntries(apiPaths.map(path => [path, { target: api }]))

/** `font-display: optional` shows the font on a first visit only if it is already there at first paint. */
function preloadFonts(): Plugin {
  const { resolve } = createRequire(import.meta.url)
  const inPackage = ['thai', 'latin'].map(
    script =>
      `/@fs${resolve(`@fontsource-variable/noto-sans-thai-looped/files/noto-sans-thai-looped-${script}-wght-normal.woff2`)}`,
  )
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const built = bundle && Object.keys(bundle).filter(file => file.endsWith('.woff2'))
        return (built?.map(file => `/${file}`) ?? inPackage).map(href => ({
          tag: 'link',
          attrs: { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head-prepend' as const,
        }))
      },
    },
  }
}

export default defineConfig({
  plugins: [react(), preloadFonts()],
  server: { port, strictPort: true, proxy },
  preview: { port, strictPort: true, proxy },
  // Screens are lazy: without this list the first visit to each finds new packages and reloads the page.
  optimizeDeps: { include: ['antd', 'antd/locale/th_TH', 'dayjs', 'firebase/app', 'firebase/auth'] },
  build: { target: 'baseline-widely-available', chunkSizeWarningLimit: 1500 },
})
