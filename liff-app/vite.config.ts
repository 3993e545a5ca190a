import type { IncomingMessage } from 'node:http'
import { servedOn, shopFont, siteVariables } from '@shop/web/vite.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { withoutSchemas, withoutStaffErrors, withoutZod } from './vite-contract.ts'
import { firstPaint, startGroup } from './vite-first-paint.ts'
import { lineInDevelopment } from './vite-line.ts'

const { proxy, ...served } = await servedOn(Number(process.env.STOREFRONT_PORT ?? 5173))

/** In production the server answers for a game's page, so that a link to it shows what it is; here only who runs no scripts is sent there. */
const previews = {
  '/game/': {
    target: process.env.API_URL ?? 'http://localhost:8787',
    bypass: ({ headers, url }: IncomingMessage) => (/Mozilla/.test(headers['user-agent'] ?? '') ? url : undefined),
  },
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    shopFont(),
    siteVariables('VITE_FIREBASE_PROJECT_ID', 'VITE_FIREBASE_API_KEY', 'VITE_ADMIN_URL'),
    firstPaint(),
    withoutSchemas,
    withoutZod,
    withoutStaffErrors,
    lineInDevelopment(process.env.VITE_LINE_EMULATOR_URL),
  ],
  server: { ...served, proxy: { ...proxy, ...previews } },
  preview: { ...served, proxy },
  build: {
    target: 'baseline-widely-available',
    // The list of what each page needs would be on every first visit.
    modulePreload: false,
    rolldownOptions: {
      // Calls of the contract that no page makes (staff's) can then be left out.
      treeshake: { manualPureFunctions: ['endpoint', 'z'] },
      output: { codeSplitting: { groups: [startGroup] } },
    },
  },
})
