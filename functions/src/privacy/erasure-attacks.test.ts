import { createCustomToken, getMe, syncAccount } from '@shop/shared/account/endpoints.ts'
import { getCredit } from '@shop/shared/credit/endpoints.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { confirmOrder, getOrder, trackOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/privacy/endpoints.ts'
import { ERASURE_WAIT_MINUTES } from '@shop/shared/privacy/erasure.ts'
import { getApiWallet } from '@shop/shared/reseller/v1-endpoints.ts'
import { listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { giveSecondWord, listSecondWords } from '@shop/shared/value/endpoints.ts'
import { addTopUp, decideTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enqueue } from '../outbox/outbox.ts'
import { users } from '../testing/chat.ts'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByGateway, createGatewayShop } from '../testing/gateway.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { buyByBank } from '../testing/orders.ts'
import { makePerson } from '../testing/person.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let it: MailShop
beforeAll(async () => {
  it = await createMailShop()
  await addAccount(it, 'admin-2', 'admin')
})
afterAll(() => it?.close())
beforeEach(() => it.clock.advance(3600))

const { line, decide } = deskOf(() => it)

/** Somebody asks for their erasure, and two admins agree to it. Returns its id. */
async function askAndApprove(uid: string, guestKey: string): Promise<string> {
  await it.as(uid, { 'guest-key': guestKey }).call(contract.askErasure, {})
  const { id } = (await it.as('admin').call(contract.listErasures, {})).rows.at(-1)!
  expect(await it.as('admin').codeOf(contract.approveErasure, { params: { id } })).toBe('SECOND_WORD_NEEDED')
  const word = (await it.as('admin-2').call(listSecondWords, {})).rows.find(({ kind }) => kind === 'accountErased')
  await it.as('admin-2').call(giveSecondWord, { params: { id: word!.id } })
  return id
}
async function waitForIt(): Promise<void> {
  await it.drain()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
}
const stateOf = async (id: string) => {
  const [row] = await it.db.query<{ state: string }>({ text: 'SELECT state FROM erasure WHERE id = $1', values: [id] })
  return row!.state
}
const barriersOf = async (uid: string) => (await it.as(uid).call(contract.getOwnErasure, {})).barriers

/** Asks in LINE how an order stands, as its buyer did before. */
let events = 0
async function askInLine(lineId: string, orderNo: string): Promise<void> {
  const payload = {
    eventId: `after ${++events}`,
    at: it.clock.now.toISOString(),
    userId: lineId,
    groupId: null,
    replyToken: `reply ${events}`,
    what: { is: 'asked', ask: { ask: 'status', orderNo } },
  } as const
  await enqueue(it.db, { kind: 'chat.hear', key: payload.eventId, payload, now: it.clock.now })
  await it.drain()
}
const answersTo = async (lineId: string): Promise<string> => {
  const rows = await it.db.query({
    text: 'SELECT messages::text FROM chat_message WHERE recipient = $1',
    values: [lineId],
  })
  return JSON.stringify(rows)
}

test('after an erasure nothing that was kept from before opens anything, and who comes back with the same LINE begins anew', async () => {
  const lineId = users.friend.userId
  const { uid, guestKey, orderNo } = await makePerson(it, lineId)
  const own = it.as(uid)
  const { trackToken } = await own.call(getOrder, { params: { orderNo } })
  const { token } = await addKey(it, uid)
  const machine = machineOf(it.request, token)
  const session = { authorization: own.headers.authorization! }
  const signInByLine = async () => {
    const body = { idToken: await it.line.control.issueIdToken(lineId) }
    return it.as(null).codeOf(createCustomToken, { body })
  }
  expect((await machine(getApiWallet)).status).toBe(200)
  await askAndApprove(uid, guestKey)
  // From the approval on nobody is let in, by whatever they have.
  expect(await it.as(uid, session).codeOf(getMe, {})).toBe('ACCOUNT_INACTIVE')
  expect((await machine(getApiWallet)).body.code).toBe('KEY_ENDED')
  expect(await signInByLine()).toBe('ACCOUNT_INACTIVE')
  await waitForIt()

  expect(await it.as(uid, session).codeOf(getMe, {})).toBe('UNAUTHENTICATED')
  expect((await machine(getApiWallet)).body.code).toMatch(/^KEY_(ENDED|UNKNOWN)$/)
  expect(await it.as(null, { 'track-token': trackToken }).codeOf(trackOrder, {})).toBe('ORDER_NOT_FOUND')
  const look = { params: { orderNo } }
  const kept: Record<string, string>[] = [{ 'guest-key': guestKey }, { 'track-token': trackToken }]
  for (const headers of kept) expect(await it.as(null, headers).codeOf(getOrder, look)).toBe('ORDER_NOT_FOUND')
  await askInLine(lineId, orderNo)
  expect(await answersTo(lineId)).not.toContain(orderNo)

  expect(await signInByLine()).toBe('OK')
  const again = it.as(`line:${lineId}`, { 'guest-key': guestKey })
  await again.call(syncAccount, { body: {} })
  expect(await again.codeOf(getOrder, look)).toBe('ORDER_NOT_FOUND')
  expect((await again.call(getCredit, {})).balanceSatang).toBe(0)
  const withPin = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '4321' }
  expect(await again.codeOf(confirmOrder, { body: withPin, idempotencyKey: onceKey() })).not.toBe('OK')
  await askInLine(lineId, orderNo)
  expect(await answersTo(lineId)).not.toContain(orderNo)
})

test('money that turns up after the approval holds the erasure until it was sent to its owner, once', async () => {
  const uid = 'paid-late'
  await addAccount(it, uid, 'customer')
  const before = (await checkLedger(it.db)).breaches
  const order = await buyByBank(it.as(uid))
  await it.as(uid).call(updateOrderStatus, { body: { orderNo: order.orderNo, status: 'cancel' } })
  const id = await askAndApprove(uid, 'p'.repeat(22))
  await it.drain()
  const [{ id: orderId } = { id: '' }] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM orders WHERE order_no = $1',
    values: [order.orderNo],
  })
  await decide(await line(order.amountSatang), { step: 'oweRefund', orderId, reason: 'โอนหลังยกเลิก' })
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
  expect(await stateOf(id)).toBe('approved')
  const owed = (await it.as('manager').call(listOwedRefunds, {})).rows.find(({ orderNo }) => orderNo === order.orderNo)!
  const send = (payeeVersion: number) =>
    it.as('manager').codeOf(sendOwedRefund, {
      params: { id: owed.id },
      body: { receivingAccountId: fixture.accounts.promptPay, reference: 'R1', payeeVersion },
      idempotencyKey: onceKey(),
    })
  const version = await agreePayee(it, owed.id)
  expect(await send(version)).toBe('OK')
  it.clock.advance(3600)
  await it.drain()
  expect(await stateOf(id)).toBe('done')
  expect(await send(version)).not.toBe('OK')
  expect((await checkLedger(it.db)).breaches).toEqual(before)
})

test('what came above the amount of a top-up is owed to its owner, and stands against their erasure', async () => {
  const uid = 'topped-up'
  await addAccount(it, uid, 'agent')
  const walletId = await addWallet(it.db, { uid, balanceSatang: 0, pin: '1234', now: it.clock.now })
  const slipId = await addSlip(it, 'u:staff')
  const entered = { walletId, amountSatang: 50_000, slipId }
  const topUp = await it.as('staff').call(addTopUp, { body: entered, idempotencyKey: onceKey() })
  const [{ version } = { version: 0 }] = await it.db.query<{ version: number }>({
    text: 'SELECT version FROM top_up WHERE id = $1',
    values: [topUp.id],
  })
  const approval = { id: topUp.id, version, status: 'approve' as const, receivingAccountId: fixture.accounts.promptPay }
  await it.as('manager').call(decideTopUp, { body: approval, idempotencyKey: onceKey() })
  expect(await barriersOf(uid)).toEqual(['balance'])
  const target = { kind: 'topUp', id: topUp.id }
  const lineId = await line(50_700)
  const match = { step: 'match', target, overpaid: 'owe', reason: 'โอนเกิน' }
  await decide(lineId, { ...match, usedByNo: topUp.no })
  expect(await barriersOf(uid)).toEqual(['balance', 'refund'])
})

test('what a guest key begins while its owner is being erased is waited for, and erased when it is over', async () => {
  const uid = 'in-a-hurry'
  await addAccount(it, uid, 'customer')
  await it.shop.identityProvider.createUser({ uid, displayName: uid })
  const guest = it.as(null)
  const id = await askAndApprove(uid, guest.headers['guest-key']!)
  await it.drain()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  const { deleteUser } = it.shop.identityProvider
  let orderNo = ''
  it.shop.identityProvider.deleteUser = async who => {
    // In the last moment: all has been looked at, and the rows are about to go.
    orderNo = (await buyByBank(guest, { playerId: '5876511111' })).orderNo
    it.shop.identityProvider.deleteUser = deleteUser
    return deleteUser(who)
  }
  await it.drain()
  expect(await stateOf(id)).toBe('approved')
  expect(await guest.call(getOrder, { params: { orderNo } })).toMatchObject({
    status: 'waiting_payment',
    playerId: '5876511111',
  })
  await guest.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  it.clock.advance(3600)
  await it.drain()
  expect(await stateOf(id)).toBe('done')
  expect(await guest.codeOf(getOrder, { params: { orderNo } })).toBe('ORDER_NOT_FOUND')
})

test('money that a gateway may still take stands against an erasure, until the gateway says that it will not', async () => {
  const shop = await createGatewayShop()
  const buyer = shop.as('customer')
  const { orderNo } = await buyByGateway(buyer)
  await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  await buyer.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  const barriers = async () => (await buyer.call(contract.getOwnErasure, {})).barriers
  expect(await barriers()).toEqual(['lateTransfer'])
  expect(await buyer.codeOf(contract.askErasure, {})).toBe('ERASURE_BARRED')
  await shop.drain()
  expect(await barriers()).toEqual([])
  await shop.db.close()
})
