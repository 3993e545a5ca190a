import { expect, test } from 'vitest'
import { demoDatabaseUrl, findReason } from './demo-database.ts'
import { findFreePort } from './ports.ts'

test('the demo shop is asked where its own port was moved to, or where DATABASE_URL says', () => {
  expect(demoDatabaseUrl({})).toBe('postgresql://postgres@127.0.0.1:54329/shop')
  expect(demoDatabaseUrl({ POSTGRES_PORT: '20806' })).toBe('postgresql://postgres@127.0.0.1:20806/shop')
  expect(demoDatabaseUrl({ DATABASE_URL: 'postgresql://me@127.0.0.1/x' })).toBe('postgresql://me@127.0.0.1/x')
})

test('a server that is not there is a sentence about what to start', async () => {
  const port = await findFreePort()
  expect(await findReason(`postgresql://postgres@127.0.0.1:${port}/shop`)).toBe(
    `No PostgreSQL answers at 127.0.0.1:${port}. Start the demo shop in another terminal with npm start, or name another server in DATABASE_URL.`,
  )
})
