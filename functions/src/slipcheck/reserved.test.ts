import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank, report } from '../testing/orders.ts'
import { type TestCaller, tokenFor } from '../testing/shop.ts'
import { createSlipShop, lookAt, paySlipOrder, type SlipShop, transferOf } from '../testing/slips.ts'
import { addSlip } from '../testing/wallet.ts'

let it: SlipShop
beforeAll(async () => {
  it = await createSlipShop('slipok', { PROXIES_IN_FRONT: '1', SLIP_MONTHLY_QUOTA: '9' })
})
afterAll(() => it.stop())

/** Hands in a slip that no bank knows, and tells why it was left to staff. */
async function draw(buyer: TestCaller): Promise<string | null> {
  const order = await buyByBank(buyer)
  const text = 'SELECT buyer_key AS key FROM orders WHERE order_no = $1'
  const [row] = await it.db.query<{ key: string }>({ text, values: [order.orderNo] })
  const { reference } = transferOf(it, order.amountSatang)
  await report(buyer, order.orderNo, await addSlip(it, row!.key, reference))
  await it.drain()
  return (await lookAt(it, order.orderNo)).slipVerdict!.reason
}

test('strangers from any number of addresses leave a third of the month to buyers who are known', async () => {
  const reasons: (string | null)[] = []
  for (let n = 0; n < 10; n++) {
    const forwarded = { 'x-forwarded-for': `10.0.0.${n}` }
    const token = tokenFor(`made-${n}`, it.clock.now, { email_verified: false })
    reasons.push(
      await draw(
        n % 2 ? it.as(null, forwarded) : it.as(`made-${n}`, { ...forwarded, authorization: `Bearer ${token}` }),
      ),
    )
  }
  expect(reasons.filter(reason => reason === 'reserved')).toHaveLength(4)
  expect(it.bank.journal).toHaveLength(6)
  for (let n = 0; n < 3; n++) {
    const { orderNo } = await paySlipOrder(it)
    await it.drain()
    expect((await lookAt(it, orderNo)).status).toBe('paid')
  }
  expect(it.bank.journal).toHaveLength(9)
})
