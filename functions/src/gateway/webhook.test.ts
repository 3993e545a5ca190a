import { createHmac } from 'node:crypto'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import type { Charge } from 'local/gateway/register.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buyByGateway, createStandInShop, type StandInShop } from '../testing/gateway.ts'
import { DIALECT } from '../testing/scripted-gateway.ts'
import { addAccount } from '../testing/shop.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { checkGateway } from './check.ts'

const PRICE = 14_900
const { event, sign } = DIALECT.stripe

let it: StandInShop
let secret: string
beforeAll(async () => {
  // The stand-in tells nothing by itself: every message is one of the tests'.
  it = await createStandInShop('stripe', { tell: async () => {} })
  secret = it.standIn.environment.STRIPE_WEBHOOK_SECRET!
})
afterAll(() => it?.stop())
beforeEach(() => it.clock.advance(3600))

const send = async (body: string, headers: Record<string, string> = sign(body, secret, it.clock.now)) =>
  (await it.request('/gateway/hear/stripe', { method: 'POST', headers, body })).status
/** How many questions to the gateway messages have caused. */
const countAsks = async () =>
  (await it.db.query({ text: `SELECT FROM outbox WHERE kind = 'charge.ask' AND key LIKE 'heard:%'` })).length

let buyers = 0
/** A new customer's order with a charge that waits for its money. */
async function charged() {
  const uid = `buyer-${++buyers}`
  await addAccount(it, uid, 'customer')
  const buyer = it.as(uid)
  const { orderNo } = await buyByGateway(buyer)
  await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  const charge = [...it.standIn.register.charges.values()].at(-1)!
  const statusNow = async () => (await buyer.call(getOrder, { params: { orderNo } })).status
  return { orderNo, charge, reference: charge.id, statusNow }
}

/** What the books say that a gateway holds for the shop. */
async function heldSatang(): Promise<number> {
  const [row] = await it.db.query<{ held: number }>({
    text: `SELECT coalesce(-sum(amount_satang), 0)::int AS held FROM ledger_entry WHERE account = 'gateway:stripe'`,
  })
  return row!.held
}

/** A message that claims more than which charge it is about. */
const lying = (reference: string, claims: object, of: object = {}) => {
  const told = event(reference) as { data: { object: object } }
  return JSON.stringify({ ...told, ...of, data: { object: { ...told.data.object, ...claims } } })
}

test('what a signed message claims about a charge that nobody paid is not believed', async () => {
  const [mine, other] = [await charged(), await charged()]
  const before = await heldSatang()
  const paid = { status: 'succeeded', amount: PRICE, amount_received: PRICE, currency: 'thb' }
  const lies = [
    lying(mine.reference, paid),
    lying(mine.reference, { ...paid, metadata: { charge: other.charge.metadata.charge } }),
    lying(mine.reference, { ...paid, amount_received: 99_999_999, currency: 'usd' }),
    lying(mine.reference, { ...paid, livemode: true }, { livemode: true }),
    lying(mine.reference, paid, { account: 'acct_somebody_else', created: 1 }),
    lying('pi_of_nobody', { ...paid, metadata: { charge: mine.charge.metadata.charge } }),
  ]
  for (const body of lies) expect(await send(body)).toBe(204)
  await it.drain()
  expect([await mine.statusNow(), await other.statusNow()]).toEqual(['waiting_payment', 'waiting_payment'])
  expect(await heldSatang()).toBe(before)
})

test('one event that comes ten times at once, and again and again, is one question and one payment', async () => {
  const { reference, statusNow } = await charged()
  await it.standIn.register.pay(reference)
  const [before, asks] = [await heldSatang(), await countAsks()]
  const body = JSON.stringify(event(reference))
  expect(await Promise.all(Array.from({ length: 10 }, () => send(body)))).toEqual(Array(10).fill(204))
  await it.drain()
  it.clock.advance(299)
  // Within the time in which it is heard, also with a signature of another moment.
  expect([await send(body, sign(body, secret, new Date(it.clock.now.getTime() - 299_000))), await send(body)]).toEqual([
    204, 204,
  ])
  await it.drain()
  expect(await countAsks()).toBe(asks + 1)
  expect(await statusNow()).toBe('paid')
  expect((await heldSatang()) - before).toBeGreaterThan(PRICE * 0.95)
  expect((await heldSatang()) - before).toBeLessThan(PRICE)
})

test('events in any order end the same, also when the gateway itself takes its word back', async () => {
  const { reference, statusNow } = await charged()
  const { register } = it.standIn
  expect(await send(JSON.stringify(event(reference, 'payment_intent.canceled')))).toBe(204)
  await it.drain()
  expect(await statusNow()).toBe('waiting_payment')
  await register.pay(reference)
  for (const type of ['succeeded', 'payment_failed', 'processing', 'canceled', 'created', 'succeeded'])
    expect(await send(JSON.stringify({ ...event(reference, `payment_intent.${type}`), id: `evt_${type}` }))).toBe(204)
  await it.drain()
  const held = await heldSatang()
  Object.assign(register.find(reference)!, { status: 'expired', paidAt: null } satisfies Partial<Charge>)
  expect(await send(JSON.stringify({ ...event(reference), id: 'evt_later' }))).toBe(204)
  await it.drain()
  expect([await statusNow(), await heldSatang()]).toEqual(['paid', held])
  const [row] = await it.db.query<{ state: string; contradiction: string }>({
    text: 'SELECT state, contradiction FROM charge WHERE reference = $1',
    values: [reference],
  })
  expect(row).toEqual({ state: 'paid', contradiction: 'expired after it was paid' })
  expect((await checkLedger(it.db)).breaches).toEqual([])
})

test('what is signed and about no charge is heard, and asks nothing', async () => {
  const before = await countAsks()
  const others = [
    { object: 'event', type: 'payout.paid', data: { object: { object: 'payout', id: 'po_1' } } },
    { object: 'event' },
    [],
  ]
  for (const other of others) expect(await send(JSON.stringify(other))).toBe(204)
  expect(await send('no json')).toBe(204)
  expect(await countAsks()).toBe(before)
})

test.each(['charge.refunded', 'charge.dispute.created', 'refund.created'])(
  'money that went back at the gateway itself is looked at by people, from the event %s on, and told by the night',
  async type => {
    const { reference, statusNow } = await charged()
    await it.standIn.register.pay(reference)
    await send(JSON.stringify(event(reference)))
    await it.drain()
    const held = await heldSatang()
    it.standIn.register.find(reference)!.refundedSatang = 5_000
    const told = {
      object: 'event',
      id: `evt_${type}`,
      type,
      data: { object: { object: 'charge', payment_intent: reference } },
    }
    expect(await send(JSON.stringify(told))).toBe(204)
    await it.drain()
    const [row] = await it.db.query<{ state: string; contradiction: string }>({
      text: 'SELECT state, contradiction FROM charge WHERE reference = $1',
      values: [reference],
    })
    expect(row).toEqual({ state: 'paid', contradiction: '5000 satang of it were refunded at the gateway' })
    // Neither the order nor the books move by it.
    expect([await statusNow(), await heldSatang()]).toEqual(['paid', held])
    it.clock.advance(2 * 3600)
    expect((await checkGateway(it.shop)).join()).toContain(`${reference}: คืนเงินแล้ว ฿50.00`)
  },
)

const unix = (seconds = 0) => Math.floor(it.clock.now.getTime() / 1000) + seconds
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

test('a message that nobody of the gateway signed, or that was touched since, is refused and asks nothing', async () => {
  const { reference } = await charged()
  const body = JSON.stringify(event(reference))
  const right = hmac(secret, `${unix()}.${body}`)
  const header = (text: string) => ({ 'stripe-signature': text })
  const apiKey = it.standIn.environment.STRIPE_SECRET_KEY!
  const tries: [string, Record<string, string>][] = [
    [body, {}],
    [body, header('')],
    [body, header(`v1=${right}`)],
    [body, header(`t=${unix()}`)],
    [body, header(`t=${unix()},v1=`)],
    // Another scheme of signatures, which proves nothing.
    [body, header(`t=${unix()},v0=${right}`)],
    [body, header(`t=${unix()},V1=${right}`)],
    // Another moment than the signed one, in any spelling.
    ...[unix(1), `0${unix()}`, `${unix()}000`, `-${unix()}`, `${unix()}.0`, '1e9', `+${unix()}`].map(
      (at): [string, Record<string, string>] => [body, header(`t=${at},v1=${right}`)],
    ),
    [body, header(`t=${unix()},t=${unix()},v1=${right}`)],
    [body, sign(body, secret, new Date(it.clock.now.getTime() - 301_000))],
    [body, sign(body, secret, new Date(it.clock.now.getTime() + 301_000))],
    // Signed with what is not its secret: an older one, the other key that they gave us, none.
    ...['whsec_before_the_change', apiKey, '', secret.replace('whsec_', ''), ` ${secret}`].map(
      (key): [string, Record<string, string>] => [body, header(`t=${unix()},v1=${hmac(key, `${unix()}.${body}`)}`)],
    ),
    [body, header(`t=${unix()},v1=${hmac(secret, body)}`)],
    [body, header(`t=${unix()},v1=${right.slice(0, 62)}`)],
    // Touched after it was signed.
    [`${body} `, header(`t=${unix()},v1=${right}`)],
    [body.replace(reference, `${reference}9`), header(`t=${unix()},v1=${right}`)],
    ['', header(`t=${unix()},v1=${right}`)],
  ]
  const before = await countAsks()
  for (const [text, headers] of tries) expect([headers, await send(text, headers)]).toEqual([headers, 403])
  expect(await countAsks()).toBe(before)
  expect((await it.request('/gateway/hear/__proto__', { method: 'POST', body })).status).toBe(404)
  // Many wrong signatures beside the right one are what a change of secrets looks like.
  const many = Array.from({ length: 60 }, (_, n) => `v1=${hmac(`wrong ${n}`, body)}`).join(',')
  expect(await send(body, header(`t=${unix()},${many},v1=${right}`))).toBe(204)
})

test('a message without end is refused long before it ends, signed or not', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      if (sent > 50_000_000) controller.error(new Error('it reads and reads'))
      else controller.enqueue(new Uint8Array(65_536))
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: endless, duplex: 'half' }
  expect((await it.request('/gateway/hear/stripe', init)).status).toBe(413)
  expect(sent).toBeLessThan(1_000_000)
  const large = JSON.stringify({ ...event('pi_1'), padding: 'x'.repeat(100_000) })
  expect(await send(large)).toBe(413)
})
