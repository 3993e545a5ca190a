import type { Fault } from 'local/slip-provider/register.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { buyByBank, report } from '../testing/orders.ts'
import { createSlipShop, lookAt, RECEIVER, type SlipShop, transferOf } from '../testing/slips.ts'
import { addSlip } from '../testing/wallet.ts'

let it: SlipShop
beforeAll(async () => {
  it = await createSlipShop('slipok')
})
afterAll(() => it.stop())
beforeEach(() => it.db.query({ text: 'DELETE FROM slip_provider' }))

const guestKeyOf = async (orderNo: string) => {
  const text = 'SELECT buyer_key AS key FROM orders WHERE order_no = $1'
  return (await it.db.query<{ key: string }>({ text, values: [orderNo] }))[0]!.key
}

/** A guest's order, reported with a slip that the bank does or does not know; how long its amount is kept, in minutes. */
async function holdOf(slip: { isReal: boolean; faults?: Fault[]; name?: string; satangMore?: number }) {
  const guest = it.as(null)
  const { orderNo, amountSatang } = await buyByBank(guest)
  const change = { receiver: { ...RECEIVER, name: slip.name ?? RECEIVER.name } }
  const transfer = transferOf(it, amountSatang + (slip.satangMore ?? 0), change)
  if (slip.isReal) it.bank.add(transfer, slip.faults)
  const reported = await report(guest, orderNo, await addSlip(it, await guestKeyOf(orderNo), transfer.reference))
  expect(reported.slipCheck).toBe('confirming')
  const reportedAt = it.clock.now
  await it.drain()
  const minutes = async () => {
    const text = 'SELECT expire_after AS until FROM orders WHERE order_no = $1'
    const [row] = await it.db.query<{ until: Date }>({ text, values: [orderNo] })
    return (row!.until.getTime() - reportedAt.getTime()) / 60_000
  }
  return { orderNo, minutes }
}

test('a QR drawn at home holds an amount no longer than a word', async () => {
  const { orderNo, minutes } = await holdOf({ isReal: false })
  expect(await minutes()).toBe(30)
  it.clock.advance(420)
  await it.drain()
  expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ reason: 'notFound' })
  expect(await minutes()).toBe(30)
  it.clock.advance(1500)
  await expireOrders(it.shop)
  expect((await lookAt(it, orderNo)).status).toBe('expired')
})

test('a transfer that the bank confirms holds it for a day, also where staff must look', async () => {
  const { orderNo, minutes } = await holdOf({ isReal: true, faults: ['repeat'] })
  expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'staff', reason: 'rules' })
  expect(await minutes()).toBe(24 * 60)
})

test.each([
  ['of another amount', { satangMore: 1 }],
  ['to somebody else', { name: 'นาย ขโมย ใจร้าย' }],
])('a transfer %s holds nothing', async (_, change) => {
  expect(await (await holdOf({ isReal: true, ...change })).minutes()).toBe(30)
})

test('a bank that is down holds it until it was asked for the last time, two minutes past half an hour', async () => {
  const { orderNo, minutes } = await holdOf({ isReal: true, faults: Array(9).fill('bankDown') })
  for (let minute = 0; minute < 32; minute++) {
    await expireOrders(it.shop)
    await it.drain()
    expect((await lookAt(it, orderNo)).status).toBe('waiting_payment')
    it.clock.advance(60)
  }
  expect(await minutes()).toBe(32)
  await expireOrders(it.shop)
  expect(await lookAt(it, orderNo)).toMatchObject({ status: 'expired', slipVerdict: { reason: 'bankDown' } })
})
