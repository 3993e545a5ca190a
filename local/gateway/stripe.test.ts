import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from './server.ts'

/** Stripe's own client, which knows nothing of the stand-in but where it listens. */
let client: Stripe
let standIn: RunningGateway
let told: { body: string; headers: Record<string, string> }[]
beforeEach(async () => {
  told = []
  standIn = await startGateway({ name: 'stripe', port: 0, tell: async message => void told.push(message) })
  client = open(standIn.environment.STRIPE_SECRET_KEY!)
})
afterEach(() => standIn.stop())

function open(key: string, maxNetworkRetries = 0): Stripe {
  const { hostname: host, port } = new URL(standIn.origin)
  return new Stripe(key, { host, port: Number(port), protocol: 'http', maxNetworkRetries, telemetry: false })
}

const asked = (change: Partial<Stripe.PaymentIntentCreateParams> = {}): Stripe.PaymentIntentCreateParams => ({
  amount: 14_900,
  currency: 'thb',
  allowed_payment_method_types: ['promptpay'],
  payment_method_data: { type: 'promptpay', billing_details: { email: 'buyer@shop.example' } },
  confirm: true,
  metadata: { charge: 'own' },
  ...change,
})
const create = (change?: Partial<Stripe.PaymentIntentCreateParams>, idempotencyKey?: string) =>
  client.paymentIntents.create(asked(change), { idempotencyKey })
/** The code and the kind of the error that a call ends with. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) =>
      error instanceof Stripe.errors.StripeError ? [error.statusCode, error.code ?? error.rawType] : error,
  )

test('an intent is made and confirmed, shown as a QR code and its pictures, and read as paid with its fee', async () => {
  const made = await create()
  expect(made).toMatchObject({
    status: 'requires_action',
    amount: 14_900,
    livemode: false,
    metadata: { charge: 'own' },
  })
  expect(made.next_action?.type).toBe('promptpay_display_qr_code')
  const qr = made.next_action!.promptpay_display_qr_code!
  const picture = async (url: string) => {
    const response = await fetch(url)
    return [response.headers.get('content-type'), (await response.text()).slice(0, 4)]
  }
  expect(await picture(qr.image_url_svg)).toEqual(['image/svg+xml', '<svg'])
  expect(await picture(qr.image_url_png)).toEqual(['image/png', expect.stringMatching(/PNG$/)])
  expect(await (await fetch(qr.data)).text()).toContain('149.00')
  await standIn.register.pay(made.id)
  const plain = await client.paymentIntents.retrieve(made.id)
  expect(plain).toMatchObject({ status: 'succeeded', amount_received: 14_900, next_action: null })
  expect(plain.latest_charge).toMatch(/^ch_/)
  const expand = ['latest_charge.balance_transaction']
  const { latest_charge: paid } = await client.paymentIntents.retrieve(made.id, { expand })
  const booking = { fee: 263, net: 14_637, currency: 'thb' }
  expect(paid).toMatchObject({ paid: true, payment_intent: made.id, balance_transaction: booking })
})

test('an intent is canceled; one that is over can not be', async () => {
  const [waiting, refused, paid] = [await create(), await create(), await create()]
  expect(await client.paymentIntents.cancel(waiting.id)).toMatchObject({ status: 'canceled' })
  await standIn.register.fail(refused.id)
  expect(await client.paymentIntents.retrieve(refused.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_rejected' },
  })
  expect(await client.paymentIntents.cancel(refused.id)).toMatchObject({ status: 'canceled' })
  await standIn.register.pay(paid.id)
  for (const { id } of [waiting, paid])
    expect(await refusal(client.paymentIntents.cancel(id))).toEqual([400, 'payment_intent_unexpected_state'])
  expect(await refusal(client.paymentIntents.cancel('pi_unknown'))).toEqual([404, 'resource_missing'])
})

test('the list goes on page by page, the newest first, from a moment on', async () => {
  const made: string[] = []
  for (let n = 0; n < 23; n++) made.push((await create()).id)
  standIn.register.charges.get(made[0]!)!.createdAt = new Date(Date.now() - 3_600_000)
  await standIn.register.pay(made[1]!)
  const period = { created: { gte: Math.floor(Date.now() / 1000) - 60 }, limit: 5 }
  const listed: Stripe.PaymentIntent[] = []
  const expand = ['data.latest_charge.balance_transaction']
  for await (const intent of client.paymentIntents.list({ ...period, expand })) listed.push(intent)
  expect(listed.map(({ id }) => id)).toEqual(made.slice(1).reverse())
  expect(listed.at(-1)!.latest_charge).toMatchObject({ balance_transaction: { fee: 263 } })
  expect((await client.paymentIntents.list({ limit: 100 })).data).toHaveLength(23)
})

test('a message is signed as the client checks it, and stands in the list of events', async () => {
  const { id } = await create()
  await standIn.register.pay(id)
  const [{ body, headers }] = told as [(typeof told)[number]]
  const secret = standIn.environment.STRIPE_WEBHOOK_SECRET!
  const event = client.webhooks.constructEvent(body, headers['stripe-signature']!, secret)
  expect(event).toMatchObject({ type: 'payment_intent.succeeded', data: { object: { id, status: 'succeeded' } } })
  expect((await client.events.list()).data).toMatchObject([{ id: event.id, type: event.type }])
  for (const fault of ['forged', 'old'] as const) {
    standIn.register.messageFaults.push(fault)
    await standIn.register.pay((await create()).id)
    const message = told.at(-1)!
    const read = () => client.webhooks.constructEvent(message.body, message.headers['stripe-signature']!, secret)
    expect(read, fault).toThrow(Stripe.errors.StripeSignatureVerificationError)
  }
})

test('the same key answers the same, refuses anything else, and keeps even a fault of its own', async () => {
  const first = await create({}, 'one')
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  const again = await create({}, 'one')
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(await refusal(create({ amount: 15_000 }, 'one'))).toEqual([400, 'idempotency_error'])
  standIn.register.faults.push('broken')
  for (let times = 0; times < 2; times++) expect(await refusal(create({}, 'two'))).toEqual([500, 'api_error'])
  // What was refused before it began is not kept.
  expect(await refusal(create({ amount: 100 }, 'three'))).toEqual([400, 'amount_too_small'])
  expect(await create({}, 'three')).toMatchObject({ status: 'requires_action' })
  expect(standIn.register.charges.size).toBe(2)
})

test('an answer that is lost is asked for again by the client itself, which makes no second intent', async () => {
  client = open(standIn.environment.STRIPE_SECRET_KEY!, 1)
  standIn.register.faults.push('lost')
  const made = await create()
  expect([...standIn.register.charges.keys()]).toEqual([made.id])
  expect(made.lastResponse.headers['idempotent-replayed']).toBe('true')
})

test('another key is refused, and so is what PromptPay does not take', async () => {
  expect(await refusal(open('sk_test_other').paymentIntents.list())).toEqual([401, 'invalid_request_error'])
  standIn.register.faults.push('tooMany')
  expect(await refusal(create())).toEqual([429, 'rate_limit'])
  for (const [change, code] of [
    [{ amount: 999 }, 'amount_too_small'],
    [{ amount: 100_000_000 }, 'amount_too_large'],
    [{ currency: 'usd' }, 'payment_intent_invalid_parameter'],
    [{ payment_method_data: { type: 'promptpay' } }, 'parameter_missing'],
  ] satisfies [Partial<Stripe.PaymentIntentCreateParams>, string][])
    expect(await refusal(create(change))).toEqual([400, code])
})
