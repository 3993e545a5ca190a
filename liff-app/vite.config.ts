import { fileURLToPath } from 'node:url'
import { servedOn, shopFont, siteVariables } from '@shop/web/vite.ts'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { withoutStaffTexts, withoutSummaries } from './vite-contract.ts'
import { firstPaint, startGroup } from './vite-first-paint.ts'
import { lineInDevelopment } from './vite-line.ts'

const served = await servedOn(Number(process.env.STOREFRONT_PORT ?? 5173))

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    shopFont(),
    siteVariables('VITE_FIREBASE_PROJECT_ID', 'VITE_FIREBASE_API_KEY', 'VITE_ADMIN_URL'),
    firstPaint(),
    withoutSummaries,
    withoutStaffTexts,
    lineInDevelopment(process.env.VITE_LINE_EMULATOR_URL),
  ],
  resolve: { alias: [{ find: /^zod$/, replacement: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) }] },
  server: served,
  preview: served,
  build: {
    target: 'baseline-widely-available',
    rolldownOptions: {
      // Calls of the contract that no page makes (staff's) can then be left out.
      treeshake: { manualPureFunctions: ['endpoint', 'z'] },
      output: { codeSplitting: { groups: [startGroup] } },
    },
  },
})
