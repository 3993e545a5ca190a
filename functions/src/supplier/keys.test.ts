import { SATANG_PER_UNIT } from 'local/supplier/register.ts'
import { type RunningSupplier, startSupplier } from 'local/supplier/server.ts'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Supplier } from './provider.ts'
import { convert } from './rates.ts'
import { SUPPLIERS } from './suppliers.ts'

const BALANCE = 4800
const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as const

let standIn: RunningSupplier
let accepted: object[] = []
afterEach(() => standIn.stop())

/** The client of a configuration that differs from the stand-in's. */
function openWith(name: 'gamesdrop' | 'kinguin', change: Record<string, string>): Supplier {
  accepted = []
  const variables = { NODE_ENV: 'test', DATABASE_URL: 'postgresql://x', ...standIn.environment, ...change }
  return SUPPLIERS[name].make({
    ...readConfig(variables).suppliers[0]!,
    timeoutMs: 5000,
    now: () => new Date(),
    inSatang: async (amount, currency) =>
      convert(amount, String(SATANG_PER_UNIT[currency as keyof typeof SATANG_PER_UNIT])),
    onAccepted: async keys => void accepted.push(keys),
  } as Parameters<(typeof SUPPLIERS)['kinguin']['make']>[0])
}

test.each([
  ['gamesdrop', 'GAMESDROP_TOKEN'],
  ['kinguin', 'KINGUIN_API_KEY'],
] as const)(
  '%s: a call that one key is refused for is made with the other, and the one that was taken is noted',
  async (name, key) => {
    standIn = await startSupplier({ name, port: 0, products: [], balanceSatang: BALANCE })
    const right = standIn.environment[key]!
    for (const keys of [[right], ['not-yet', right], [right, 'gone']]) {
      expect(await openWith(name, { [key]: keys.join(',') }).balance()).toBe(BALANCE)
      expect(accepted).toEqual([{ [key]: right }])
    }
    expect(await openWith(name, { [key]: 'gone' }).balance()).toBeNull()
    expect(accepted).toEqual([])
  },
)

test('KINGUIN_WEBHOOK_SECRET: what comes with either secret is heard, and it is noted which', async () => {
  standIn = await startSupplier({ name: 'kinguin', port: 0, products: [], balanceSatang: BALANCE })
  const body = JSON.stringify({ orderExternalId: 'K1', status: 'completed', updatedAt: '2026-11-20' })
  const hears = (held: readonly string[], secret: string, event = 'order.status') => {
    const headers = new Headers({ 'x-event-name': event, 'x-event-secret': secret })
    return openWith('kinguin', { KINGUIN_WEBHOOK_SECRET: held.join(',') }).readCallback(body, headers)
  }
  for (const [held, heard] of [
    [[OLD], [true, false]],
    [
      [NEW, OLD],
      [true, true],
    ],
    [[NEW], [false, true]],
  ] as const) {
    for (const [at, secret] of [OLD, NEW].entries()) {
      expect(hears(held, secret) !== null).toBe(heard[at])
      expect(accepted).toEqual(heard[at] ? [{ KINGUIN_WEBHOOK_SECRET: secret }] : [])
    }
  }
  expect(hears([OLD], OLD)).toMatchObject({ reference: 'K1', reply: '' })
  expect(hears([OLD], OLD, 'product.update')).toBeNull()
})
