import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://admin.test' } },
    setupFiles: 'src/test-setup.ts',
    testTimeout: 30_000,
    // As "test", antd gives every element the same id, and a dialog could be named by what stands elsewhere.
    env: { ...DEVELOPMENT_VARIABLES, NODE_ENV: 'development' },
  },
})
