import { PLAYER_FIELD, PLAYER_FIELD_NAMES } from '@shop/shared/catalogue/catalogue.ts'
import { PAYMENT_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import { confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { type Draft, getAcceptedTerms, getDraft, saveAcceptedTerms, saveDraft } from '../draft.ts'
import { order } from '../orders/testing.ts'
import { removeAll } from '../storage.ts'
import { refuse, startShopServer } from '../testing.tsx'
import { isPlacing, placeOrder } from './place-order.ts'
import { fieldChangeOf } from './selection.ts'
import { chosen, draft } from './testing.ts'

const server = startShopServer()
const selection = { draft, chosen, termsVersion: '1', credit: null }
const place = (wanted = draft) => placeOrder({ ...selection, draft: wanted })

/** Answers the creation of orders by turns and keeps the idempotency keys it saw. */
function answerInTurn(...answers: (() => Response)[]): string[] {
  const keys: string[] = []
  server.use(
    http.post(`*${confirmPrice.path}`, ({ request }) => {
      keys.push(request.headers.get('idempotency-key') ?? '')
      return (answers[keys.length - 1] ?? answers.at(-1)!)()
    }),
  )
  return keys
}
const lost = () => HttpResponse.error()
const placed = () => HttpResponse.json(order)

test('trying again after a lost connection sends the same key, so that it cannot make a second order', async () => {
  const keys = answerInTurn(lost, placed)
  await expect(place()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(isPlacing(selection)).toBe(true)
  expect(await place()).toMatchObject({ orderNo: order.orderNo })
  expect(isPlacing(selection)).toBe(false)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('trying again is the same request even after new terms were published: under those of the first try', async () => {
  const sent: (string | null)[][] = []
  server.use(
    http.post(`*${confirmPrice.path}`, async ({ request }) => {
      const { termsVersion } = (await request.json()) as { termsVersion: string }
      sent.push([request.headers.get('idempotency-key'), termsVersion])
      return sent.length === 1 ? lost() : placed()
    }),
  )
  await expect(place()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const renewed = { ...selection, termsVersion: '2' }
  expect(isPlacing(renewed)).toBe(true)
  await placeOrder(renewed)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]![1]).toBe('1')
})

test('trying again sends the warning of the first try, whatever it has become', async () => {
  const sent: unknown[] = []
  server.use(
    http.post(`*${confirmPrice.path}`, async ({ request }) => {
      const { acceptedWarning } = (await request.json()) as { acceptedWarning?: string }
      sent.push([request.headers.get('idempotency-key'), acceptedWarning])
      return sent.length === 1 ? lost() : placed()
    }),
  )
  await expect(place({ ...draft, acceptedWarning: 'บัญชีไทยเท่านั้น' })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await place({ ...draft, acceptedWarning: 'คำเตือนใหม่' })
  expect(sent[1]).toEqual(sent[0])
  expect((sent[0] as string[])[1]).toBe('บัญชีไทยเท่านั้น')
})

test('trying again names the price of the first try, whatever the package costs by now', async () => {
  const sent: unknown[] = []
  server.use(
    http.post(`*${confirmPrice.path}`, async ({ request }) => {
      const { seenPriceSatang } = (await request.json()) as { seenPriceSatang?: number }
      sent.push([request.headers.get('idempotency-key'), seenPriceSatang])
      return sent.length === 1 ? lost() : placed()
    }),
  )
  await expect(place()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await placeOrder({ ...selection, chosen: { ...chosen, priceSatang: 159_00 } })
  expect(sent[1]).toEqual(sent[0])
  expect((sent[0] as unknown[])[1]).toBe(149_00)
})

test('trying again uses the credit of the first try, which that may have spent', async () => {
  const sent: unknown[] = []
  server.use(
    http.post(`*${confirmCredit.path}`, async ({ request }) => {
      sent.push([request.headers.get('idempotency-key'), await request.json()])
      return sent.length === 1 ? lost() : placed()
    }),
  )
  const whole = { ...selection, draft: { ...draft, usesCredit: true }, credit: { satang: 149_00, coversAll: true } }
  await expect(placeOrder(whole)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await placeOrder({ ...whole, credit: null })
  expect(sent[1]).toEqual(sent[0])
})

test('another selection, and another order after an answered one, get their own keys', async () => {
  const keys = answerInTurn(lost, placed)
  await expect(place()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await place({ ...draft, bank: 2 })
  await place()
  expect(new Set(keys).size).toBe(3)
})

test.each(['RATE_LIMITED', 'GUEST_LIMIT_REACHED', 'UNAUTHENTICATED', 'FORBIDDEN', 'UNAVAILABLE', 'INTERNAL'] as const)(
  'turned away with %s, the next try is the same request: the one before may have been served',
  async code => {
    const keys = answerInTurn(() => refuse(code), placed)
    await expect(place()).rejects.toMatchObject({ code })
    await place()
    expect(keys[0]).toBe(keys[1])
  },
)

test('a refusal is an answer: the next try is a new request', async () => {
  const keys = answerInTurn(() => refuse('UNPAID_ORDER_EXISTS'), placed)
  await expect(place()).rejects.toMatchObject({ code: 'UNPAID_ORDER_EXISTS' })
  await place()
  expect(keys[0]).not.toBe(keys[1])
})

test.each([
  ['package', { package: null }],
  ['player', { playerId: '' }],
  ['receiving account', { bank: null }],
  ['payment method of the package', { paymentMethod: 'wallet' as const }],
])('without the %s nothing can be sent', async (_, change) => {
  await expect(place({ ...draft, ...change })).rejects.toMatchObject({ code: 'PAYMENT_METHOD_NOT_ALLOWED' })
})

test.each(PAYMENT_CODES)('every input that a game can ask for arrives with an order by %s', async payment => {
  const bodies: unknown[] = []
  const keep = async ({ request }: { request: Request }) => {
    bodies.push(await request.json())
    return placed()
  }
  const calls = [confirmPrice, confirmOrder, confirmCharge, confirmCredit]
  server.use(...calls.map(({ path }) => http.post(`*${path}`, keep)))
  let wanted: Draft = { ...draft, paymentMethod: payment }
  for (const name of PLAYER_FIELD_NAMES) wanted = { ...wanted, ...fieldChangeOf(name, `${name} of the player`) }
  await placeOrder({ ...selection, draft: wanted, chosen: { ...chosen, payment } }, '1234')
  const expected = PLAYER_FIELD_NAMES.map(name => [PLAYER_FIELD[name], `${name} of the player`])
  expect(bodies).toEqual([expect.objectContaining(Object.fromEntries(expected))])
})

test('the draft survives a session that ended by itself; a new selection needs the terms again', () => {
  saveDraft(draft)
  saveAcceptedTerms('1')
  removeAll(['draft', 'acceptedTerms', 'placing'])
  expect(getDraft()).toEqual(draft)
  expect(getAcceptedTerms()).toBe('1')
  saveDraft({ ...draft, package: 13 })
  expect(getAcceptedTerms()).toBeNull()
  removeAll()
  expect(getDraft()).toBeNull()
})
