import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { confirmBarrier, confirmMoney, type MoneyWord } from './money-proof.ts'
import { markPaid, type NewOrder, type Order, placeOrder } from './order.ts'
import type { Actor } from './status.ts'

const now = new Date('2026-11-20T07:00:00Z')
const staff: Actor = { uid: 's1', role: 'staff' }
const second: Actor = { uid: 's2', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }
const draft: NewOrder = {
  id: 'o',
  orderNo: 'n',
  buyerUid: 'c1',
  gameId: 1,
  packageId: 2,
  playerId: '1',
  playerName: null,
  quantity: 1,
  payment: 'bank',
  priceSatang: 14900,
  tailSatang: 37,
  costSatang: null,
  receivingAccountId: 1,
  walletId: null,
  creditId: null,
  creditSatang: 0,
}
const waiting = placeOrder(draft, 15, { uid: 'c1', role: 'customer' }, now).order
const paid = markPaid(waiting, staff, 'เห็นเงินเข้า', now).order
const word = (change: Partial<MoneyWord> = {}): MoneyWord => ({
  actor: second,
  isOwn: false,
  heldBy: 's1',
  isTied: false,
  largeAboveSatang: 14937,
  ...change,
})
const codeOf = (order: Order, change: Partial<MoneyWord>) => confirmBarrier(order, word(change))?.code ?? 'OK'

test.each<[string, Partial<MoneyWord>, Order?]>([
  ['OK', {}],
  ['OK', { actor: manager }],
  ['SECOND_PERSON_NEEDED', { actor: staff }],
  ['OWN_ORDER', { isOwn: true }],
  ['OWN_ORDER', { actor: { uid: 'c1', role: 'staff' } }],
  ['SECOND_PERSON_MANAGER', { actor: { uid: 'c2', role: 'customer' } }],
  ['SECOND_PERSON_MANAGER', { largeAboveSatang: 14936 }],
  ['OK', { largeAboveSatang: 14936, actor: manager }],
  ['SECOND_PERSON_RECENT', { isTied: true }],
  ['MONEY_NOT_AWAITED', { heldBy: null }],
  ['MONEY_NOT_AWAITED', {}, waiting],
  ['MONEY_NOT_AWAITED', {}, { ...paid, status: 'processing' }],
])('%s', (code, change, order = paid) => {
  expect(codeOf(order, change)).toBe(code)
})

test('who confirms the money changes nothing but the history; who may not is refused', () => {
  const { order, event, ledger } = confirmMoney(paid, word(), now)
  expect(order).toEqual({ ...paid, version: paid.version + 1 })
  expect(event).toMatchObject({ kind: 'money_confirmed', from: 'paid', to: 'paid', actor: second })
  expect(ledger).toBeNull()
  expect(() => confirmMoney(paid, word({ actor: staff }), now)).toThrow(AppError)
})
