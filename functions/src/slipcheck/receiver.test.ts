import { listManagedAccounts, saveReceivingAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSlipShop, lookAt, paySlipOrder, RECEIVER, type SlipShop } from '../testing/slips.ts'

let it: SlipShop
beforeAll(async () => {
  it = await createSlipShop('slipok')
})
afterAll(() => it.stop())
beforeEach(() => it.db.query({ text: 'DELETE FROM slip_provider' }))

async function payTo(name: string) {
  const { orderNo } = await paySlipOrder(it, [], { receiver: { ...RECEIVER, name } })
  await it.drain()
  const { status, slipVerdict } = await lookAt(it, orderNo)
  return { status, receiver: slipVerdict!.ask!.verdict!.receiver }
}

test("a slip to a stranger whose shown digits are the shop's pays nothing, though the provider says yes", async () => {
  const { status, receiver } = await payTo('นาย ขโมย ใจร้าย')
  expect(status).toBe('waiting_payment')
  expect(receiver.result).toBe('no')
  expect(receiver.found).toContain('นาย ขโมย')
})

test('a name in Latin letters waits for staff until the shop has entered its own', async () => {
  expect(await payTo('KHRAM TERM')).toMatchObject({ status: 'waiting_payment', receiver: { result: 'unclear' } })
  const admin = it.as('admin')
  const [account] = await admin.call(listManagedAccounts, {})
  const saved = await admin.call(saveReceivingAccount, {
    body: { ...account!, accountNameEn: 'KHRAM TERM GAME CO., LTD.' },
  })
  expect(saved.accountNameEn).toBe('KHRAM TERM GAME CO., LTD.')
  expect(await payTo('KHRAM TERM')).toMatchObject({ status: 'paid', receiver: { result: 'ok' } })
})
