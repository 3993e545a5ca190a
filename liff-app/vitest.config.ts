import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'liff-app',
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: 'src/test-setup.ts',
    env: DEVELOPMENT_VARIABLES,
  },
})
