import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from './server.ts'

let clock: Date
let standIn: RunningGateway
beforeEach(async () => {
  clock = new Date('2026-11-20T05:00:00Z')
  standIn = await startGateway({ port: 0, now: () => clock })
})
afterEach(() => standIn.stop())

/** Asks as Opn's own clients do: in JSON, with the secret key as the name of HTTP's basic authentication. */
async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Basic ${btoa(`${standIn.environment.OPN_SECRET_KEY}:`)}`,
    'content-type': 'application/json',
  }
  const method = body ? 'POST' : 'GET'
  const response = await fetch(`${standIn.origin}${path}`, { method, headers, body: body && JSON.stringify(body) })
  return { status: response.status, ...((await response.json()) as object) }
}
const back = 'http://localhost:5173/payment?order=KT2611-00000001'
const asked = (type = 'promptpay', change: object = {}) => ({
  amount: 14_900,
  currency: 'THB',
  source: { type },
  metadata: { charge: 'own' },
  return_uri: back,
  ...change,
})
const QR = { object: 'barcode', image: { kind: 'qr', download_uri: expect.stringMatching(/^http.*\/downloads\//) } }

test('a charge has the fields that Opn documents', async () => {
  const made = await ask('/charges', asked())
  expect(made).toMatchObject({
    object: 'charge',
    id: expect.stringMatching(/^chrg_test_\w{19}$/),
    livemode: false,
    amount: 14_900,
    net: 14_900,
    fee: 0,
    fee_vat: 0,
    currency: 'THB',
    status: 'pending',
    authorized: false,
    paid: false,
    paid_at: null,
    expires_at: '2026-11-21T05:00:00.000Z',
    expired: false,
    refundable: false,
    refunded_amount: 0,
    failure_code: null,
    failure_message: null,
    metadata: { charge: 'own' },
    created_at: '2026-11-20T05:00:00.000Z',
    source: { object: 'source', type: 'promptpay', flow: 'offline', charge_status: 'pending', scannable_code: QR },
  })
  const paid = await ask(`/charges/${made.id}/mark_as_paid`, {})
  expect(paid).toMatchObject({ status: 'successful', paid: true, authorized: true, fee: 246, fee_vat: 17, net: 14_637 })
  expect(await ask(`/charges/${made.id}/mark_as_failed`, {})).toMatchObject({ object: 'error', code: 'invalid_charge' })
  expect(await ask(`/charges/${made.id}/expire`, {})).toMatchObject({ object: 'error', code: 'failed_expire' })
})

test('a charge ends by its time, and may be marked as failed before', async () => {
  const [late, refused] = [await ask('/charges', asked()), await ask('/charges', asked())]
  expect(await ask(`/charges/${refused.id}/mark_as_failed`, {})).toMatchObject({ failure_code: 'payment_rejected' })
  clock = new Date(clock.getTime() + 24 * 3_600_000)
  expect(await ask(`/charges/${late.id}`)).toMatchObject({ status: 'expired', expired: true })
  expect(await ask(`/charges/${refused.id}`)).toMatchObject({ status: 'failed' })
})

test.each([
  ['truemoney_jumpapp', 'app_redirect'],
  ['shopeepay', 'redirect'],
  ['shopeepay_jumpapp', 'app_redirect'],
  ['rabbit_linepay', 'redirect'],
])('%s is paid on a page of its own, whose buyer is sent back', async (type, flow) => {
  const made = await ask('/charges', asked(type))
  expect(made).toMatchObject({ authorize_uri: `${standIn.origin}/pay/${made.id}`, source: { type, flow } })
  expect(made.source).toMatchObject({ scannable_code: null })
  expect(await (await fetch(String(made.authorize_uri))).text()).toContain('149.00')
  for (const way of ['fail', 'pay']) {
    const body = new URLSearchParams({ back })
    const done = await fetch(`${standIn.origin}/act/${way}/${made.id}`, { method: 'POST', body, redirect: 'manual' })
    expect(done.headers.get('location')).toBe(back)
  }
  expect(await ask(`/charges/${made.id}`)).toMatchObject({ paid: true })
})

test.each([
  [{ amount: 1_999 }, 'invalid_amount'],
  [{ amount: 15_000_001 }, 'invalid_amount'],
  [{ amount: 100.5 }, 'invalid_amount'],
  [{ currency: 'USD' }, 'invalid_charge'],
  [{ source: { type: 'alipay' } }, 'invalid_charge'],
  [{ source: { type: 'shopeepay' }, return_uri: undefined }, 'bad_request'],
  [{ expires_at: '2026-11-21T05:00:01Z' }, 'bad_request'],
  [{ expires_at: '2026-11-20T05:00:00Z' }, 'bad_request'],
])('%o is refused', async (change, code) => {
  expect(await ask('/charges', asked('promptpay', change))).toMatchObject({ status: 400, object: 'error', code })
})

test('what was told can be read again', async () => {
  const ids: unknown[] = []
  for (let n = 0; n < 3; n++) ids.push((await ask('/charges', asked())).id)
  for (const id of ids) await ask(`/charges/${id}/mark_as_paid`, {})
  const events = await ask('/events?limit=2&order=reverse_chronological')
  expect(events).toMatchObject({ object: 'list', total: 3, limit: 2 })
  const [newest] = events.data as { id: string; data: object }[]
  expect(newest).toMatchObject({ object: 'event', key: 'charge.complete', data: { id: ids[2], paid: true } })
  expect(await ask(`/events/${newest!.id}`)).toMatchObject(newest!)
  expect(await ask('/events/evnt_test_unknown')).toMatchObject({ status: 404, code: 'not_found' })
})
