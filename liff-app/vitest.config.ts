import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { environment: 'happy-dom', setupFiles: 'src/test-setup.ts', testTimeout: 30_000, env: DEVELOPMENT_VARIABLES },
})
