import { confirmPrice, getPrice } from '@shop/shared/order/endpoints.ts'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { removeAll } from '../storage.ts'
import { getAcceptedTerms, getDraft, saveAcceptedTerms, saveDraft } from './draft.ts'
import { placeOrder } from './place-order.ts'
import { chosen, draft, order, refuse, startOrderServer } from './testing.tsx'

const server = startOrderServer()
const place = (wanted = draft) => placeOrder(wanted, chosen, '2026-11-20')

/** Answers the creation of orders by turns and keeps the idempotency keys it saw. */
function answerInTurn(...answers: (() => Response)[]): string[] {
  const keys: string[] = []
  server.use(
    http.get('*/romons.payment/api/getprice/*', () => HttpResponse.json({ priceSatang: 149_00 })),
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
  expect(await place()).toMatchObject({ kind: 'placed', order: { orderNo: order.orderNo } })
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('another selection, and another order after an answered one, get their own keys', async () => {
  const keys = answerInTurn(lost, placed)
  await expect(place()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await place({ ...draft, bank: 2 })
  await place()
  expect(new Set(keys).size).toBe(3)
})

test('a refusal is an answer: the next try is a new request', async () => {
  const keys = answerInTurn(() => refuse('AMOUNTS_EXHAUSTED'), placed)
  await expect(place()).rejects.toMatchObject({ code: 'AMOUNTS_EXHAUSTED' })
  await place()
  expect(keys[0]).not.toBe(keys[1])
})

test('no order is made at a price the customer did not see', async () => {
  const keys = answerInTurn(placed)
  server.use(http.get(`*${getPrice.path.split('/:')[0]}/*`, () => HttpResponse.json({ priceSatang: 159_00 })))
  expect(await place()).toEqual({ kind: 'price-changed', priceSatang: 159_00 })
  expect(keys).toEqual([])
})

test('the draft survives a session that ended by itself; a new selection needs the terms again', () => {
  saveDraft(draft)
  saveAcceptedTerms('2026-11-20')
  removeAll(['draft', 'acceptedTerms', 'placing'])
  expect(getDraft()).toEqual(draft)
  expect(getAcceptedTerms()).toBe('2026-11-20')
  saveDraft({ ...draft, package: 13 })
  expect(getAcceptedTerms()).toBeNull()
  removeAll()
  expect(getDraft()).toBeNull()
})
