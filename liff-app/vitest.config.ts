import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'happy-dom',
    setupFiles: 'src/test-setup.ts',
    env: DEVELOPMENT_VARIABLES,
  },
})
