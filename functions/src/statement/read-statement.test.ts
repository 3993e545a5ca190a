import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { MAX_BYTES } from './limits.ts'
import { parseStatement } from './parse-statement.ts'
import { readStatement } from './read-statement.ts'

const now = new Date('2026-11-21T05:00:00Z')
const sample = readFileSync(join(import.meta.dirname, 'samples', 'kbank-deposit-statement-th.csv'))

test('a thread reads what is read without one, and files wait for each other', async () => {
  const whole = parseStatement(sample, { now })
  expect(whole.lines).toHaveLength(10)
  expect(await Promise.all([readStatement(sample, { now }), readStatement(sample, { now })])).toEqual([whole, whole])
  // It goes on being the caller's.
  expect(sample.length).toBeGreaterThan(0)
})

test('what the thread refuses is refused with its code and row', async () => {
  const open = Buffer.from('a,b\nc,"d\n')
  await expect(readStatement(open, { now })).rejects.toMatchObject({
    code: 'STATEMENT_CUT_OFF',
    message: expect.stringContaining('แถว 2'),
  })
  await expect(readStatement(Buffer.alloc(MAX_BYTES + 1), { now })).rejects.toMatchObject({
    code: 'STATEMENT_TOO_LARGE',
  })
})

test('50,000 rows leave other requests their turn', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `18/11/2026,08:05,X1,ENET,โอน,,,5.00,${(i + 1) * 5}.00`)
  const header = 'Date,Time,Transaction,Channel,Description,Chq No,Withdrawal,Deposits,Balance'
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const began = performance.now()
  const { lines, checks } = await readStatement(Buffer.from([header, ...rows].join('\n')), { now })
  const tookMs = performance.now() - began
  delay.disable()
  expect(lines).toHaveLength(50_000)
  expect(checks.every(check => check.ok)).toBe(true)
  expect(delay.max / 1e6).toBeLessThan(tookMs / 2)
})
