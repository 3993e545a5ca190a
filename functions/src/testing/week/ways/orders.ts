import { confirmCredit, takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { proposePlayer, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { reportOrderTransfer } from '@shop/shared/order/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import { claimOrders } from '@shop/shared/order/queue-endpoints.ts'
import {
  agreeRefundPayee,
  giveRefundPayee,
  listOwedRefunds,
  sendOwedRefund,
  setRefundPayee,
} from '@shop/shared/statement/refund-endpoints.ts'
import {
  askDelivery,
  reduceDelivery,
  retryDelivery,
  saveSupplier,
  seeContradiction,
  testSupplier,
} from '@shop/shared/supplier/endpoints.ts'
import { linkLine } from '../../chat.ts'
import { fixture } from '../../fixture.ts'
import { addAccount, onceKey } from '../../shop.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { PlacedOrder, Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const times = async (count: number, work: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index++) await work(index)
}

/** Sends what is owed for an order of the thief's. @param named the version of an account that the buyer named */
async function sendOwed(thief: Thief, orderNo: string, named = 0): Promise<void> {
  const { rows } = await thief.it.as('manager').call(listOwedRefunds, { query: { pageSize: 100 } })
  const owed = rows.find(row => row.orderNo === orderNo)
  if (!owed) return
  const own = { bankCode: '004', accountNo: '0123456789', accountName: 'Thief', payeeVersion: 0 }
  if (named === 0) await thief.do(setRefundPayee, { params: { id: owed.id }, body: own })
  const agreed = { payeeVersion: 1, isSlipCompared: true }
  await thief.do(agreeRefundPayee, { params: { id: owed.id }, body: agreed, idempotencyKey: onceKey() })
  const body = { receivingAccountId: fixture.accounts.promptPay, reference: 'R1', payeeVersion: 1 }
  await thief.do(sendOwedRefund, { params: { id: owed.id }, body, idempotencyKey: onceKey() })
}

export const orderWays = {
  paidByHand: {
    tries: 'orders of a puppet marked paid by word, claimed, retried, and confirmed by the same person',
    takes: 'goods',
    control: 'the supplier waits for a line, a confirmed slip or a second person; the day’s sum',
    test: ['order/paying/proof.test.ts', 'a guest order from a private window'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      await times(TOO_MANY, async () => {
        const order = await thief.order()
        await thief.set(order, 'paid')
        await thief.do(confirmMoney, { body: { orderNo: order.orderNo } })
        await thief.do(retryDelivery, { body: { orderNo: order.orderNo } })
        await thief.do(askDelivery, { body: { orderNo: order.orderNo } })
      })
    },
  },
  claimedAndCompleted: {
    tries: 'an order marked paid by word, claimed in the queue, released and completed with a made-up reference',
    takes: 'goods',
    control: 'nothing is bought for an order that is delivered by hand',
    test: ['order/paying/proof.test.ts', 'by hand is delivered by hand'],
    refusal: null,
    async run(thief) {
      const order = await thief.order()
      await thief.set(order, 'paid')
      await thief.do(claimOrders, { body: { orderNos: [order.orderNo] } })
      await thief.set(order, 'paid')
      await thief.set(order, 'processing')
      await thief.set(order, 'success')
    },
  },
  moneyCameLate: {
    tries: 'an expired order of a puppet that its buyer and the thief say was paid late',
    takes: 'goods',
    control: 'a word about late money is held as any other',
    test: ['order/paying/proof.test.ts', 'money that is said to have come late'],
    refusal: 'SECOND_PERSON_NEEDED',
    async run(thief) {
      const order = await thief.order()
      await thief.it.pass(25)
      const report = { params: { orderNo: order.orderNo }, body: {}, idempotencyKey: onceKey() }
      await thief.handOf(order.buyer).do(reportOrderTransfer, report)
      await thief.set(order, 'paid')
      await thief.do(confirmMoney, { body: { orderNo: order.orderNo } })
    },
  },
  supplierSwitched: {
    tries: 'orders marked paid by word while the supplier is switched off, and on again',
    takes: 'goods',
    control: 'it is asked where the purchase begins, whatever began it',
    test: ['order/paying/proof.test.ts', 'retry after a refused purchase'],
    refusal: 'DELIVERY_NOT_RETRIABLE',
    async run(thief) {
      await thief.do(testSupplier, { body: { name: 'seagm' } })
      await thief.do(saveSupplier, { body: { name: 'seagm', isOn: false, lowBalanceSatang: 0 } })
      const order = await thief.order()
      await thief.set(order, 'paid')
      await thief.do(saveSupplier, { body: { name: 'seagm', isOn: true, lowBalanceSatang: 0 } })
      await thief.do(retryDelivery, { body: { orderNo: order.orderNo } })
    },
  },
  fromTheChat: {
    tries: 'an order marked paid by word, then claimed and completed by the buttons and words of LINE',
    takes: 'goods',
    control: 'the chat marks nothing paid and buys nothing',
    test: ['order/paying/proof.test.ts', 'by hand is delivered by hand'],
    refusal: null,
    async run(thief) {
      const { it, uid, day } = thief
      const line = `U${uid.replace(/\D/g, '').padStart(32, '9')}`
      if (day === 0) await linkLine(it, uid, line)
      const order = await thief.order()
      await thief.set(order, 'paid')
      await it.hear(line, { press: `claim ${order.orderNo}` })
      await it.work()
      await it.hear(line, { say: `เสร็จ ${order.orderNo} REF-1` })
    },
  },
  redoToOther: {
    tries: 'strangers’ paid orders failed and topped up again for a player of one’s own',
    takes: 'goods',
    control: 'another player than the buyer named takes a manager, a reason, and counts to the day',
    test: ['order/correcting/correction.test.ts', 'no member of the staff does it'],
    refusal: 'REDO_OTHER_PLAYER',
    async run(thief) {
      await times(TOO_MANY, async () => {
        const order = await strangersDear(thief)
        await thief.set(order, 'failed')
        const player = { orderNo: order.orderNo, playerId: thief.playerId() }
        await thief.handOf(thief.it.as(null)).do(proposePlayer, { params: player, body: { playerId: player.playerId } })
        await thief.do(redoOrder, { body: { ...player, reason: 'ลูกค้าแจ้งทางโทรศัพท์' } })
      })
    },
  },
  failedAndRefunded: {
    tries: 'own paid orders failed and refunded, and the money sent back twice',
    takes: 'money sent',
    control: 'what is owed is sent once, and what is sent counts to the day',
    test: ['value/money-moves.test.ts', 'that are sent, or go back to a wallet'],
    refusal: 'ORDER_STATUS_NOT_ALLOWED',
    async run(thief) {
      const order = await thief.order()
      await thief.pay(order)
      await thief.set(order, 'failed')
      await thief.set(order, 'refunded')
      await sendOwed(thief, order.orderNo)
      await thief.set(order, 'refunded')
      await sendOwed(thief, order.orderNo)
    },
  },
  slipComparedAlone: {
    tries:
      'unpaid orders of puppets marked paid, failed and refunded, and sent to an account that only a drawn slip shows',
    takes: 'money sent',
    control: 'who compares a slip may send alone, and both the payment and the sending count to the day',
    test: ['statement/payer.test.ts', 'where nobody told who paid, the buyer hands in their slip'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it, uid, day } = thief
      await times(TOO_MANY, async index => {
        const puppet = `${uid}-drawn-${day}-${index}`
        await addAccount(it, puppet, 'customer')
        const order = await thief.order({}, it.as(puppet))
        for (const status of ['paid', 'failed', 'refunded']) await thief.set(order, status)
        const paidSlipId = await thief.slip(puppet)
        const body = { bankCode: '004', accountNo: '0123456789', accountName: 'Thief', paidSlipId }
        // An order that was not marked paid has nothing to give back.
        await it.as(puppet).codeOf(giveRefundPayee, { params: { orderNo: order.orderNo }, body })
        await sendOwed(thief, order.orderNo, 1)
      })
    },
  },
  refundedToCredit: {
    tries: 'unpaid orders of puppets marked paid, failed and refunded, the money taken as credit and spent',
    takes: 'goods',
    control: 'credit counts to the day of who made it owed; above that it waits for a second person',
    test: ['credit/credit.test.ts', 'what one person made owed becomes credit up to the sum of their day'],
    refusal: 'CREDIT_TOO_LOW',
    async run(thief) {
      const { it, uid, day, kept } = thief
      await times(TOO_MANY, async index => {
        const puppet = `${uid}-puppet-${day}-${index}`
        await addAccount(it, puppet, 'customer')
        thief.accounts.add(puppet)
        const order = await thief.order({}, it.as(puppet))
        await thief.set(order, 'paid')
        await thief.set(order, 'failed')
        await thief.set(order, 'refunded')
        const hand = thief.handOf(order.buyer)
        await hand.do(takeRefundAsCredit, { params: { orderNo: order.orderNo }, idempotencyKey: onceKey() })
        const packageId = Number(kept.get('ordered'))
        const body = { gameId: fixture.pubg.id, packageId, playerId: thief.playerId(), termsVersion: '1' }
        await hand.do(confirmCredit, { body, idempotencyKey: onceKey() })
      })
    },
  },
  refundAtRisk: {
    tries: 'own paid orders failed while the supplier delivers, refunded, and the contradiction seen to',
    takes: 'goods',
    control: 'money back while goods may come always takes two managers',
    test: ['order/paying/alone.test.ts', 'money goes back'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const order = await thief.order()
      await thief.pay(order)
      await thief.it.drain()
      const risk = { supplierRiskReason: 'ลูกค้ารอไม่ได้' }
      await thief.set(order, 'failed', risk)
      await thief.set(order, 'refunded', risk)
      await sendOwed(thief, order.orderNo)
      await thief.it.pass(2)
      await thief.do(seeContradiction, { body: { orderNo: order.orderNo, reason: 'ดูแล้ว' } })
      await thief.it.pass(5)
      await thief.it.watch()
    },
  },
  refundToWallet: {
    tries: 'orders from a puppet’s wallet refunded before and after the goods came',
    takes: 'money on a wallet',
    control: 'a delivered order is not refunded; a refund at risk takes two managers',
    test: ['order/paying/alone.test.ts', 'nor is the risk taken first by a failure'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const wallet = await thief.wallet(3 * DEAR.priceSatang)
      const buy = async () => (await thief.spend(wallet.hand, '1234')) as { orderNo: string } | null
      const early = await buy()
      if (early) await thief.set(early, 'refunded')
      const late = await buy()
      if (!late) return
      await thief.it.drain()
      await thief.set(late, 'failed', { supplierRiskReason: 'ลูกค้ารอไม่ได้' })
      await thief.set(late, 'refunded', { supplierRiskReason: 'ลูกค้ารอไม่ได้' })
      await thief.it.pass(2)
      await thief.set(late, 'refunded')
    },
  },
  reducedToPieces: {
    tries:
      'orders of several pieces from a puppet’s wallet ended with fewer while the others come, and after they came',
    takes: 'money on a wallet',
    control: 'only what is known not to come goes back, once, and it counts to the day',
    test: ['order/correcting/reduce.test.ts', 'with a purchase whose outcome is open it is refused'],
    refusal: 'DELIVERY_NOT_ENDED',
    async run(thief) {
      const wallet = await thief.wallet(3 * DEAR.priceSatang)
      const order = (await thief.spend(wallet.hand, '1234', { quantity: 3 })) as { orderNo: string } | null
      if (!order) return
      const reduce = (broughtPieces: number) =>
        thief.do(reduceDelivery, { body: { orderNo: order.orderNo, broughtPieces } })
      await reduce(1)
      await thief.it.drain()
      await reduce(1)
      await thief.it.pass(2)
      for (const pieces of [1, 2, 3]) await reduce(pieces)
    },
  },
} satisfies Record<string, Way>

/** A stranger's order, truly paid, that nobody has worked on yet. */
async function strangersDear(thief: Thief): Promise<PlacedOrder> {
  const { it } = thief
  const placed = await thief.strangersOrder()
  await it.bankTells(fixture.accounts.promptPay, placed.amountSatang)
  return placed
}
