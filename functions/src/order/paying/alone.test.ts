import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { seeContradiction } from '@shop/shared/supplier/endpoints.ts'
import { giveSecondWord } from '@shop/shared/value/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank } from '../../testing/orders.ts'
import { addAccount } from '../../testing/shop.ts'
import { createSupplierShop, payOrder, type SupplierShop } from '../../testing/supplier.ts'
import { checkLedger } from '../../wallet/ledger-check.ts'

let it: SupplierShop
beforeAll(async () => {
  it = await createSupplierShop({ SUPPLIER_TIMEOUT_MS: '5000' })
  await addAccount(it, 'staff2', 'staff')
  for (const uid of ['manager2', 'manager3']) await addAccount(it, uid, 'manager')
})
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.stop()
})

const look = (orderNo: string, uid = 'manager') => it.as(uid).call(getOrderForStaff, { params: { orderNo } })
const change = (uid: string, body: { orderNo: string; status: 'paid' | 'refunded' } & Record<string, string>) =>
  it
    .as(uid)
    .call(updateOrderStatus, { body: { reason: 'เห็นเงินเข้า', ...body } })
    .then(
      () => ({ code: 'OK', word: '' }),
      (error: { code: string; details?: { secondWordId?: string } }) => ({
        code: error.code,
        word: error.details?.secondWordId ?? '',
      }),
    )
const give = (uid: string, id: string) => it.as(uid).codeOf(giveSecondWord, { params: { id } })
const see = (uid: string, orderNo: string) =>
  it.as(uid).codeOf(seeContradiction, { body: { orderNo, reason: 'เรียกเงินคืนจากลูกค้าแล้ว' } })

/** An order of a guest whose window nobody knows, of this many baht and its satang. */
async function guestOrder(baht: number): Promise<string> {
  const guest = it.as(null)
  const { orderNo } = await buyByBank(guest)
  await it.db.query({ text: 'UPDATE orders SET price_satang = $2 WHERE order_no = $1', values: [orderNo, baht * 100] })
  return orderNo
}

test('eight orders that one member of the staff marks paid are more than one may in a day; a manager looks at the rest', async () => {
  const codes: string[] = []
  const words: string[] = []
  const orders = []
  for (let nth = 0; nth < 8; nth++) {
    const orderNo = await guestOrder(2900)
    const { code, word } = await change('staff', { orderNo, status: 'paid' })
    codes.push(code)
    words.push(word)
    orders.push(orderNo)
  }
  expect(codes).toEqual([...Array(6).fill('OK'), 'SECOND_WORD_NEEDED', 'SECOND_WORD_NEEDED'])
  await it.drain()
  expect(it.supplier.register.booked.size).toBe(0)
  const seventh = orders[6]!
  expect((await look(seventh)).status).toBe('waiting_payment')
  // Another's day is another's.
  expect((await change('staff2', { orderNo: await guestOrder(2900), status: 'paid' })).code).toBe('OK')
  expect([await give('staff', words[6]!), await give('staff2', words[6]!)]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
  expect(await give('manager', words[6]!)).toBe('OK')
  // Who gave the word has looked at the money: it is not asked for again.
  expect(await look(seventh)).toMatchObject({ status: 'paid', hold: null })
  await it.drain()
  it.clock.advance(60)
  await it.drain()
  expect((await look(seventh)).status).toBe('success')
  expect(it.supplier.register.booked.size).toBe(1)
  it.clock.advance(86_400)
  expect((await change('staff', { orderNo: await guestOrder(2900), status: 'paid' })).code).toBe('OK')
})

test('money goes back while the supplier may still deliver only by two managers; what came of it is for a third person', async () => {
  const orderNo = await payOrder(it, 'lost')
  await it.drain()
  const supplierRiskReason = 'โทรถามแล้ว ไม่ได้ส่ง'
  const asked = await change('manager', { orderNo, status: 'refunded', supplierRiskReason })
  expect(asked.code).toBe('SECOND_WORD_NEEDED')
  expect(await look(orderNo)).toMatchObject({
    status: 'processing',
    delivery: { attempts: [{ overruledReason: null }] },
  })
  expect([await give('manager', asked.word), await give('manager2', asked.word)]).toEqual([
    'SECOND_WORD_NOT_YOURS',
    'OK',
  ])
  expect((await look(orderNo)).status).toBe('refunding')
  const [attempt] = (await look(orderNo)).delivery!.attempts
  it.supplier.register.booked.get(attempt!.reference)!.hiddenFor = 0
  it.clock.advance(10)
  await it.drain()
  const attemptFor = async (uid: string) => (await look(orderNo, uid)).delivery!.attempts[0]!
  expect(await attemptFor('manager')).toMatchObject({ contradiction: 'delivered', isOwnRisk: true })
  expect(await attemptFor('manager3')).toMatchObject({ isOwnRisk: false })
  expect(await see('manager', orderNo)).toBe('CONTRADICTION_OWN')
  expect((await attemptFor('manager')).staffCall).not.toBeNull()
  expect([await see('manager3', orderNo), await see('manager3', orderNo)]).toEqual(['OK', 'DELIVERY_NOT_RETRIABLE'])
  const subject = `order:${orderNo}` as const
  const { rows } = await it.as('admin').call(listAudit, { query: { subject, action: 'supplier.see' } })
  expect(rows).toMatchObject([{ actorUid: 'manager3', after: { reason: 'เรียกเงินคืนจากลูกค้าแล้ว' } }])
})

test('nor is the risk taken first by a failure, and the money given back afterwards by one', async () => {
  const orderNo = await payOrder(it, 'lost')
  await it.drain()
  const failed = { orderNo, status: 'failed', reason: 'ลูกค้ารอไม่ได้', supplierRiskReason: 'x' } as const
  await it.as('staff').call(updateOrderStatus, { body: failed })
  expect((await change('manager', { orderNo, status: 'refunded' })).code).toBe('SECOND_WORD_NEEDED')
})

test('money that goes back is one move of who gives it, not two', async () => {
  const orderNo = await guestOrder(100)
  await change('manager2', { orderNo, status: 'paid' })
  await change('manager2', { orderNo, status: 'refunded' })
  const moves = await it.db.query<{ kind: string }>({
    text: 'SELECT kind FROM value_move WHERE subject = $1 ORDER BY at, id',
    values: [`order:${orderNo}`],
  })
  expect(moves.map(({ kind }) => kind)).toEqual(['paidByHand', 'refundOwed'])
})

test('a buyer sees nothing of who looked at what', async () => {
  const guest = it.as(null)
  const { orderNo } = await buyByBank(guest)
  await change('manager3', { orderNo, status: 'paid' })
  expect((await guest.call(getOrder, { params: { orderNo } })).timeline.every(({ reason }) => reason === null)).toBe(
    true,
  )
})
