import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSuppliersShop, followOrder, payOrder, type SupplierShop } from '../testing/supplier.ts'
import { dumpTables } from '../testing/vouchers.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { signSeagm } from './seagm.ts'

let it: SupplierShop
beforeAll(async () => {
  it = await createSuppliersShop(['seagm', 'kinguin'], { delivers: 'code' })
})
afterAll(() => it?.stop())
beforeEach(async () => {
  it.clock.advance(700)
  await it.db.query({ text: 'UPDATE supplier SET stopped_at = NULL, stopped_for = NULL, broken_until = NULL' })
})

const secrets = () => ({
  seagm: it.supplierEnvironment.SEAGM_SECRET_KEY!,
  kinguin: it.supplierEnvironment.KINGUIN_WEBHOOK_SECRET!,
})
const post = async (path: string, body: string, headers: Record<string, string> = {}) =>
  (await it.request(`/supplier/callback/${path}`, { method: 'POST', headers, body })).status
const now = () => String(Math.floor(it.clock.now.getTime() / 1000))

/** A report as SEAGM signs it. */
const signed = (params: Record<string, string>, secretKey = secrets().seagm) =>
  new URLSearchParams({ ...params, signature: signSeagm(params, secretKey) }).toString()
const success = (reference: string) => ({
  mch_order_id: reference,
  status_code: '10003',
  send_amount: '1',
  pay_amount: '0.01',
  currency: 'THB',
  timestamp: now(),
  cards: JSON.stringify([{ card_number: 'CLAIMED-BY-A-CALLBACK' }]),
})
const kinguinSays = (reference: string, secret = secrets().kinguin, name = 'order.status') =>
  post('kinguin', JSON.stringify({ orderExternalId: reference, status: 'completed', updatedAt: now() }), {
    'x-event-secret': secret,
    'x-event-name': name,
  })

const countAsks = async () =>
  (await it.db.query({ text: `SELECT FROM outbox WHERE kind = 'supplier.ask' AND key LIKE 'callback:%'` })).length
const look = (orderNo: string) => it.as('manager').call(getOrderForStaff, { params: { orderNo } })

test.each(['forever', 'failed'] as const)(
  'a signed word of success about a purchase that is %s delivers nothing: the supplier is asked, and believed',
  async fault => {
    const orderNo = await payOrder(it, fault)
    if (fault === 'failed') await followOrder(it, orderNo)
    else await it.drain()
    const before = await look(orderNo)
    const attempt = before.delivery!.attempts.findLast(({ supplier }) => supplier === 'seagm')!
    const asks = await countAsks()
    expect(await post('seagm', signed(success(attempt.reference)))).toBe(200)
    await it.drain()
    expect(await countAsks()).toBe(asks + 1)
    const after = await look(orderNo)
    const again = after.delivery!.attempts.find(({ reference }) => reference === attempt.reference)!
    expect([after.status, again.state, again.costSatang]).toEqual([before.status, attempt.state, attempt.costSatang])
    expect(await dumpTables(it)).not.toContain('CLAIMED-BY-A-CALLBACK')
    expect((await checkLedger(it.db)).breaches).toEqual([])
  },
)

test('nobody speaks for another: a supplier about the purchase of another one, or about none of ours', async () => {
  const orderNo = await payOrder(it, 'forever')
  await it.drain()
  const { reference } = (await look(orderNo)).delivery!.attempts[0]!
  const asks = await countAsks()
  expect(await kinguinSays(reference)).toBe(204)
  expect(await post('seagm', signed(success('K0000NOTOURS')))).toBe(200)
  expect(await countAsks()).toBe(asks)
})

test('a report that comes ten times at once, and again later, is one question', async () => {
  const orderNo = await payOrder(it, 'forever')
  await it.drain()
  const { reference } = (await look(orderNo)).delivery!.attempts[0]!
  const [asks, body] = [await countAsks(), signed(success(reference))]
  expect(await Promise.all(Array.from({ length: 10 }, () => post('seagm', body)))).toEqual(Array(10).fill(200))
  await it.drain()
  it.clock.advance(3600)
  expect(await post('seagm', body)).toBe(200)
  expect(await countAsks()).toBe(asks + 1)
  expect((await look(orderNo)).status).toBe('processing')
})

test('a report that the supplier did not sign so is refused, whatever it lacks or has too much', async () => {
  const orderNo = await payOrder(it, 'forever')
  await it.drain()
  const { reference } = (await look(orderNo)).delivery!.attempts[0]!
  const told = success(reference)
  const { mch_order_id: _, ...nameless } = told
  const good = signed(told)
  const refused = [
    '',
    'signature=',
    new URLSearchParams(told).toString(),
    signed(told, ''),
    signed(told, secrets().kinguin),
    signed(told, `${secrets().seagm} `),
    // Something was added, changed or left out after it was signed; of what comes twice the last one counts.
    `${good}&status=10003`,
    `${good}&mch_order_id=K9`,
    good.replace('10003', '10004'),
    good.replace('&currency=THB', ''),
    signed(nameless),
    signed({ ...told, mch_order_id: '' }),
    ...['never', 'NaN', '', '1e99', `${now()}000`, '-1'].map(timestamp => signed({ ...told, timestamp })),
    JSON.stringify(told),
  ]
  const asks = await countAsks()
  for (const body of refused) expect([body, await post('seagm', body)]).toEqual([body, 403])
  for (const [secret, name] of [
    ['', 'order.status'],
    [secrets().seagm, 'order.status'],
    [secrets().kinguin.slice(1), 'order.status'],
    [secrets().kinguin, 'product.update'],
  ])
    expect([secret, name, await kinguinSays(reference, secret, name)]).toEqual([secret, name, 403])
  for (const nobody of ['gamesdrop', '__proto__', 'constructor', 'toString'])
    expect([nobody, await post(nobody, good)]).toEqual([nobody, 404])
  expect(await countAsks()).toBe(asks)
})
