import { changePassword, updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { confirmCredit, takeRefundAsCredit, withdrawCredit } from '@shop/shared/credit/endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { makeKey } from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_SCOPES } from '@shop/shared/reseller/reseller.ts'
import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { giveRefundPayee, listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { postLedger } from '../../../wallet/store.ts'
import { fixture } from '../../fixture.ts'
import { machineOf } from '../../machine.ts'
import { addAccount, onceKey, type TestCaller } from '../../shop.ts'
import { addWallet } from '../../wallet.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { Hand, PlacedOrder, Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const PASSWORD = 'made up by a thief'
const PIN = '7351'
const MANY = [...Array(TOO_MANY).keys()]

/** An honest manager whom nothing was asked of on this day yet. */
async function honestManager({ it, uid }: Thief, nth: string): Promise<TestCaller> {
  const manager = `honest-of-${uid}-${nth}`
  await addAccount(it, manager, 'manager')
  return it.as(manager)
}

/** Lets an honest manager fail and refund an order that was truly paid. */
async function refundHonestly(thief: Thief, { orderNo }: Pick<PlacedOrder, 'orderNo'>, nth: string): Promise<void> {
  const manager = await honestManager(thief, nth)
  for (const status of ['failed', 'refunded'] as const)
    await manager.call(updateOrderStatus, { body: { orderNo, status, reason: 'เติมไม่ได้' } })
}

/** An honest customer with as much credit as the dear package costs, from an order that came to nothing. */
async function addCreditor(thief: Thief, nth: number): Promise<{ uid: string; orderNo: string }> {
  const { it, uid: of, day } = thief
  const uid = `${of}-customer-${day}-${nth}`
  await addAccount(it, uid, 'customer')
  const buyer = it.as(uid)
  const order = await thief.strangersOrder(buyer)
  await it.bankTells(fixture.accounts.promptPay, order.amountSatang)
  await refundHonestly(thief, order, `${day}-${nth}`)
  await buyer.call(takeRefundAsCredit, { params: order, idempotencyKey: onceKey() })
  return { uid, orderNo: order.orderNo }
}

/** Buys goods for the thief with somebody's credit. */
const buyWith = (thief: Thief, hand: Hand, pin: string | undefined) =>
  hand.do(confirmCredit, {
    body: {
      gameId: fixture.pubg.id,
      packageId: Number(thief.kept.get('ordered')),
      playerId: thief.playerId(),
      termsVersion: '1',
      pin,
    },
    idempotencyKey: onceKey(),
  })

/** Has all that is owed to the thief's bank account sent, by the thief or by an honest manager who knows nothing. */
async function sendTo(thief: Thief, by: Hand): Promise<void> {
  const { rows } = await thief.it.as('manager').call(listOwedRefunds, { query: { pageSize: 100 } })
  for (const { id, payee, payeeVersion } of rows) {
    if (payee?.accountNo !== thief.payee.accountNo) continue
    const body = { receivingAccountId: fixture.accounts.promptPay, reference: 'R1', payeeVersion }
    await by.do(sendOwedRefund, { params: { id }, body, idempotencyKey: onceKey() })
  }
}

/** Somebody honest: what they do is not the thief's doing. */
const honest = (caller: TestCaller): Hand => ({
  do: (endpoint, input) => caller.call(endpoint, input).catch(() => null),
})

export const openingWays = {
  creditorReset: {
    tries:
      'customers’ passwords set, first PINs chosen, their credit spent, and the rest withdrawn to a friend’s bank account and sent there',
    takes: 'goods',
    control: 'who opens an account has all that it opens counted to their day, and sends none of it',
    test: ['access/first-pin.test.ts', 'who set a password sends nothing of that account for a day'],
    refusal: null,
    async run(thief) {
      const { it } = thief
      for (const nth of MANY) {
        const { uid } = await addCreditor(thief, nth)
        if (!(await thief.do(updateUserAuthentication, { body: { uid, password: PASSWORD } }))) continue
        it.clock.advance(60)
        const entered = thief.handOf(it.as(uid))
        await entered.do(changePassword, { body: { password: `${PASSWORD} 2` } })
        it.clock.advance(60)
        await entered.do(changePin, { body: { pin: PIN } })
        if (nth > 0) await buyWith(thief, entered, PIN)
        else await entered.do(withdrawCredit, { body: { ...thief.payee, pin: PIN }, idempotencyKey: onceKey() })
      }
      await sendTo(thief, thief)
      await sendTo(thief, honest(await honestManager(thief, `sends-${thief.day}`)))
    },
  },
  withdrawalTurned: {
    tries:
      'a browser in which somebody bought as a guest and took the refund into their account, used later to turn their withdrawal to another bank account',
    takes: 'money sent',
    control: 'a withdrawal belongs to the account, not to the order that it came from',
    test: ['credit/withdrawal.test.ts', 'its owner turns it with the PIN until it is sent'],
    refusal: null,
    async run(thief) {
      const { it, uid: of, day } = thief
      const uid = `${of}-customer-${day}`
      await addAccount(it, uid, 'customer')
      const guest = it.as(null)
      const order = await thief.strangersOrder(guest)
      await it.bankTells(fixture.accounts.promptPay, order.amountSatang)
      await refundHonestly(thief, order, `${day}`)
      const owner = it.as(uid, { 'guest-key': guest.headers['guest-key']! })
      const own = { bankCode: '004', accountNo: '1112223334', accountName: uid }
      await owner.call(takeRefundAsCredit, { params: order, idempotencyKey: onceKey() })
      await owner.call(changePin, { body: { pin: PIN } })
      await owner.call(withdrawCredit, { body: { ...own, pin: PIN }, idempotencyKey: onceKey() })
      await thief.handOf(guest).do(giveRefundPayee, { params: order, body: thief.payee })
      await sendTo(thief, honest(await honestManager(thief, `sends-${day}`)))
    },
  },
  sessionStolen: {
    tries: 'customers’ sessions stolen: their credit withdrawn to another bank account without a PIN',
    takes: 'money sent',
    control: 'a withdrawal asks for the PIN, and its owner is told',
    test: ['credit/withdrawal.test.ts', 'a withdrawal always takes the PIN'],
    refusal: null,
    async run(thief) {
      for (const nth of MANY) {
        const { uid } = await addCreditor(thief, nth)
        const stolen = thief.handOf(thief.it.as(uid))
        await stolen.do(withdrawCredit, { body: { ...thief.payee, pin: '0000' }, idempotencyKey: onceKey() })
        await sendTo(thief, honest(await honestManager(thief, `sends-${thief.day}-${nth}`)))
      }
    },
  },
  keyLeftBehind: {
    tries:
      'an agent’s password and PIN reset while the wallet is empty, an API key made as the agent, and used after the owner changed both and topped up',
    takes: 'goods',
    control: 'a change of password or PIN ends what was made under the old one',
    test: ['access/access-ends.test.ts', 'whoever was given an account by the shop makes a key and an endpoint'],
    refusal: null,
    async run(thief) {
      const { it, uid: of, day } = thief
      const packageId = Number(thief.kept.get('dear') ?? (await it.addPackage(`8100 UC by key ${of}`)))
      thief.kept.set('dear', String(packageId))
      for (const nth of MANY) {
        const token = await leaveKey(thief, `${of}-agent-${day}-${nth}`)
        if (!token) continue
        const bought = { ref: `r-${day}-${nth}`, packageId, playerId: thief.playerId() }
        const { status, body } = await machineOf(it.request, token)(createApiOrder, { body: bought })
        if (status === 200) thief.orders.add(body.id)
      }
    },
  },
} satisfies Record<string, Way>

/**
 * Resets an agent whose wallet is empty and makes a key as them; then its owner changes everything, and money comes. Returns
 * the key's token.
 */
async function leaveKey(thief: Thief, uid: string): Promise<string | null> {
  const { it } = thief
  await addAccount(it, uid, 'agent')
  const walletId = await addWallet(it.db, { uid, balanceSatang: 0, pin: '2222', now: it.clock.now })
  await thief.do(updateUserAuthentication, { body: { uid, password: PASSWORD } })
  const reset = await thief.do(resetPin, { params: { uid } })
  it.clock.advance(60)
  const entered = thief.handOf(it.as(uid))
  await entered.do(changePassword, { body: { password: `${PASSWORD} 2` } })
  it.clock.advance(60)
  await entered.do(changePin, { body: { oldPin: reset?.pin ?? '7353', pin: PIN } })
  const scopes = [...KEY_SCOPES]
  const asked = { name: 'bot', mode: 'live' as const, scopes, addresses: [], dailyLimitSatang: null, pin: PIN }
  const made = await entered.do(makeKey, { body: asked })
  it.clock.advance(60)
  const owner = it.as(uid)
  const keep = { keys: [], webhooks: [], links: [] }
  await owner.call(changePassword, { body: { password: 'the owner’s own words', keep } })
  it.clock.advance(60)
  if (made) await it.as(uid).call(changePin, { body: { oldPin: PIN, pin: '2222', keep } })
  const postings = [{ from: 'bank:1', to: `wallet:${walletId}`, amountSatang: DEAR.priceSatang } as const]
  const carried = { kind: 'correction', reason: 'เติมเงิน', reversesId: null } as const
  await it.db.transaction(tx =>
    postLedger(tx, { ...carried, id: uuidv7(), subjectId: walletId, at: it.clock.now, postings }),
  )
  return made?.token ?? null
}
