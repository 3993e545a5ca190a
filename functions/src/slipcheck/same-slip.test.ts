import { getOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { decideTopUp, getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { matchLines } from '../statement/matching.ts'
import { buyByBank, codeOf, report } from '../testing/orders.ts'
import { testAtRandom } from '../testing/random.ts'
import { addAccount, createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { createSlipShop, lookAt, type SlipShop, transferOf } from '../testing/slips.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

let people = 0
interface Buying {
  uid: string
  buyer: TestCaller
  orderNo: string
  amountSatang: number
}
async function buy(it: TestShop): Promise<Buying> {
  const uid = `same-slip-${++people}`
  await addAccount(it, uid, 'customer')
  const buyer = it.as(uid)
  const { orderNo, amountSatang } = await buyByBank(buyer)
  return { uid, buyer, orderNo, amountSatang }
}

const handIn = async (it: TestShop, { uid, buyer, orderNo }: Buying, reference: string) =>
  codeOf(report(buyer, orderNo, await addSlip(it, `u:${uid}`, reference)))
const statusesOf = (it: TestShop, orders: Buying[]) =>
  Promise.all(orders.map(async ({ orderNo }) => (await lookAt(it, orderNo)).status))
const shownTo = ({ buyer, orderNo }: Buying) => buyer.call(getOrder, { params: { orderNo } })
const setPaid = (it: TestShop, { orderNo }: Buying) =>
  it.as('staff').codeOf(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นยอดเข้า' } })

describe.each(['slipok', 'easyslip'] as const)('with %s', provider => {
  let it: SlipShop
  beforeAll(async () => {
    it = await createSlipShop(provider)
  })
  afterAll(async () => {
    expect((await checkLedger(it.db)).breaches).toEqual([])
    await it.stop()
  })
  const drainTwice = () => Promise.all([it.drain(), openDrain(it.shop).run()])

  const whoever = 'of orders that show the same slip the one it fits is paid, whoever comes first'
  testAtRandom(`${whoever} (${provider})`, { size: 25 }, async ({ size, below, shuffle, tell }) => {
    for (let round = 0; round < size; round++) {
      const orders = []
      for (let n = 2 + below(3); n > 0; n--) orders.push(await buy(it))
      const [rightful, stranger] = shuffle(orders) as [Buying, Buying]
      const transfer = transferOf(it, rightful.amountSatang)
      it.bank.add(transfer)
      const way = ['at once', 'one by one', 'checked between'][round % 3]
      const inTurn = shuffle([rightful, stranger])
      tell(
        `${inTurn.map(each => each.orderNo)} show ${rightful.orderNo}'s slip ${way}; there are ${orders.length} orders`,
      )
      if (way === 'at once') {
        const codes = await Promise.all(inTurn.map(each => handIn(it, each, transfer.reference)))
        expect(codes).toEqual(['OK', 'OK'])
      } else {
        const [first, second] = inTurn as [Buying, Buying]
        expect(await handIn(it, first, transfer.reference)).toBe('OK')
        if (way === 'checked between') await drainTwice()
        const isPaidAlready = way === 'checked between' && first === rightful
        expect(await handIn(it, second, transfer.reference)).toBe(isPaidAlready ? 'SLIP_REUSED' : 'OK')
      }
      await drainTwice()
      const expected = orders.map(each => (each === rightful ? 'paid' : 'waiting_payment'))
      expect(await statusesOf(it, orders), `round ${round}, ${way}`).toEqual(expected)
      it.clock.advance(2 * 86_400)
      await expireOrders(it.shop)
    }
  })

  const alike = 'where it fits two alike exactly one is paid; where only one of them shows it, people decide'
  testAtRandom(`${alike} (${provider})`, { size: 1 }, async ({ shuffle }) => {
    for (const showing of [2, 1]) {
      const [one, other] = [await buy(it), await buy(it)]
      // As if the amount had been given out again within the time of both.
      await it.db.query({
        text: `UPDATE orders SET tail_satang = (SELECT tail_satang FROM orders WHERE order_no = $1) WHERE order_no = $2`,
        values: [one.orderNo, other.orderNo],
      })
      const transfer = transferOf(it, one.amountSatang)
      it.bank.add(transfer)
      const shown = showing === 2 ? shuffle([one, other]) : [other]
      await Promise.all(shown.map(each => handIn(it, each, transfer.reference)))
      await drainTwice()
      const statuses = await statusesOf(it, [one, other])
      expect(statuses.filter(status => status === 'paid')).toHaveLength(showing - 1)
      it.clock.advance(2 * 86_400)
      await expireOrders(it.shop)
    }
  })

  test('whose slip paid something else is asked for another, and can hand it in', async () => {
    const [rightful, stranger] = [await buy(it), await buy(it)]
    const transfer = transferOf(it, rightful.amountSatang)
    it.bank.add(transfer)
    await handIn(it, stranger, transfer.reference)
    await it.drain()
    expect(await shownTo(stranger)).toMatchObject({ slipCheck: 'staff', canReport: false })
    await handIn(it, rightful, transfer.reference)
    await it.drain()
    expect(await shownTo(stranger)).toMatchObject({ slipCheck: 'used', canReport: true })
    expect(await handIn(it, stranger, transfer.reference)).toBe('SLIP_REUSED')
    const own = transferOf(it, stranger.amountSatang)
    it.bank.add(own)
    expect(await handIn(it, stranger, own.reference)).toBe('OK')
    await it.drain()
    expect(await statusesOf(it, [rightful, stranger])).toEqual(['paid', 'paid'])
  })

  test('a top-up of the same amount, with or without the slip, does not keep an order from being paid', async () => {
    const agent = `same-slip-agent`
    await addAccount(it, agent, 'agent')
    await addWallet(it.db, { uid: agent, balanceSatang: 0, pin: null, now: it.clock.now })
    const order = await buy(it)
    const { reference } = transferOf(it, order.amountSatang)
    it.bank.add(transferOf(it, order.amountSatang, { reference }))
    const topUp = await it.as(agent).call(saveTopUp, {
      body: {
        amountSatang: order.amountSatang,
        slipId: await addSlip(it, `u:${agent}`, reference),
        receivingAccountId: 1,
      },
      idempotencyKey: onceKey(),
    })
    await it.drain()
    const details = () => it.as('manager').call(getTopUpForStaff, { params: { id: topUp.id } })
    expect((await details()).slipVerdict).toMatchObject({ state: 'staff', reason: 'rules' })
    await handIn(it, order, reference)
    await it.drain()
    expect(await statusesOf(it, [order])).toEqual(['paid'])
    const { version, slipOthers } = await details()
    expect(slipOthers).toMatchObject([{ kind: 'order', no: order.orderNo, hasPaid: true }])
    const approve = { id: topUp.id, version, status: 'approve' as const, receivingAccountId: 1 }
    expect(await it.as('manager').codeOf(decideTopUp, { body: approve, idempotencyKey: onceKey() })).toBe(
      'SLIP_PAID_OTHER',
    )
  })
})

describe('where slips are not checked', () => {
  let it: TestShop
  beforeAll(async () => {
    it = await createTestShop()
  })
  afterAll(async () => {
    expect((await checkLedger(it.db)).breaches).toEqual([])
    await it.db.close()
  })

  test('staff are told what else a slip was handed in for, and it pays one thing', async () => {
    const [rightful, stranger] = [await buy(it), await buy(it)]
    for (const each of [stranger, rightful]) expect(await handIn(it, each, 'OFF-1')).toBe('OK')
    expect((await lookAt(it, rightful.orderNo)).slipOthers).toMatchObject([{ no: stranger.orderNo, hasPaid: false }])
    const codes = await Promise.all([rightful, stranger].map(each => setPaid(it, each)))
    expect(codes.toSorted()).toEqual(['OK', 'SLIP_PAID_OTHER'])
    const loser = codes[0] === 'OK' ? stranger : rightful
    expect((await lookAt(it, loser.orderNo)).slipOthers).toMatchObject([{ hasPaid: true }])
    expect(await shownTo(loser)).toMatchObject({ status: 'waiting_payment', slipCheck: 'used', canReport: true })
  })

  test('the statement line pays the order it fits, whatever the slip says', async () => {
    const [rightful, stranger] = [await buy(it), await buy(it)]
    for (const each of [stranger, rightful]) await handIn(it, each, 'OFF-2')
    expect(await setPaid(it, stranger)).toBe('OK')
    await addLines(it, [lineOf({ amountSatang: rightful.amountSatang, at: it.clock.now })])
    await matchLines(it.shop)
    expect(await statusesOf(it, [rightful, stranger])).toEqual(['paid', 'paid'])
  })
})
