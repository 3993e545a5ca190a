import { servedOn, shopFont, siteVariables } from '@shop/web/vite.ts'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const served = await servedOn(Number(process.env.ADMIN_PORT ?? 5174))

export default defineConfig({
  plugins: [
    react(),
    shopFont(),
    siteVariables('VITE_FIREBASE_PROJECT_ID', 'VITE_FIREBASE_API_KEY', 'VITE_STOREFRONT_URL'),
  ],
  server: served,
  preview: served,
  // Screens are lazy: without this list the first visit to each finds new packages and reloads the page.
  optimizeDeps: { include: ['antd', 'antd/locale/th_TH', 'dayjs', 'firebase/app', 'firebase/auth', 'recharts'] },
  build: { target: 'baseline-widely-available', chunkSizeWarningLimit: 1500 },
})
