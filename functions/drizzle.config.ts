import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './functions/src/*/tables.ts',
  out: './functions/migrations',
})
