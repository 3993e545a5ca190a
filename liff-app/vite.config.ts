import type { IncomingMessage } from 'node:http'
import { servedOn, shopFont, siteVariables } from '@shop/web/vite.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './vite-chunks.ts'
import { productionRouter, withoutSchemas, withoutStaffErrors, withoutToldTexts, withoutZod } from './vite-contract.ts'
import { firstPaint } from './vite-first-paint.ts'
import { lineInDevelopment } from './vite-line.ts'

const { proxy, ...served } = await servedOn(Number(process.env.STOREFRONT_PORT ?? 5173))

/** Sends clients that run no scripts to the server for a game's page, so that links get a preview. */
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
    withoutToldTexts,
    productionRouter,
    lineInDevelopment(process.env.VITE_LINE_EMULATOR_URL),
  ],
  server: { ...served, proxy: { ...proxy, ...previews } },
  preview: { ...served, proxy },
  build: {
    target: 'baseline-widely-available',
    // With it, every first visit would load the list of what each page needs; index.html has that of the page it opens.
    modulePreload: false,
    rolldownOptions: {
      // This lets the build leave out the calls of the contract that no page makes.
      treeshake: { manualPureFunctions: ['endpoint', 'z'] },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
})
