import {
  changePassword,
  removeLink,
  resetTotp,
  setCustomAgentClaims,
  setUserRole,
  updateUser,
  updateUserAuthentication,
} from '@shop/shared/account/endpoints.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { createAgentUser, setAgentStatus, updateAgentUser } from '@shop/shared/agent/endpoints.ts'
import { makeChatCode } from '@shop/shared/chat/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { approveErasure, askErasure, withdrawErasure } from '@shop/shared/privacy/endpoints.ts'
import { giveSecondWord } from '@shop/shared/value/endpoints.ts'
import { addTopUp, decideTopUp } from '@shop/shared/wallet/endpoints.ts'
import { linkLine } from '../../chat.ts'
import { fixture } from '../../fixture.ts'
import { addAccount, onceKey } from '../../shop.ts'
import { addSlip, addWallet } from '../../wallet.ts'
import { DEAR, TOO_MANY, VICTIM } from '../shop.ts'
import type { Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const BAHT = 100
const PASSWORD = 'made up by a thief'
const MANY = [...Array(TOO_MANY).keys()]

/** What a second person would say to all that waits for one of the thief's. */
async function confirmAll(thief: Thief, by: string): Promise<void> {
  const hand = thief.handOf(thief.it.as(by))
  const words = await thief.it.db.query<{ id: string }>({
    text: `SELECT id FROM second_word WHERE asked_by = $1 AND state = 'waiting'`,
    values: [thief.uid],
  })
  for (const { id } of words) await hand.do(giveSecondWord, { params: { id } })
}

/** Orders that the thief says are paid, confirmed by somebody of theirs. */
async function payAndConfirm(thief: Thief, by: string, count = TOO_MANY): Promise<void> {
  const hand = thief.handOf(thief.it.as(by))
  for (let placed = 0; placed < count; placed++) {
    const order = await thief.order()
    await thief.set(order, 'paid')
    await confirmAll(thief, by)
    await hand.do(confirmMoney, { body: { orderNo: order.orderNo } })
  }
}

/** An honest agent who has LINE, with as much as one piece costs. */
async function addVictim({ it, uid: thief }: Thief): Promise<string> {
  const { db, clock } = it
  const [row] = await db.query<{ n: number }>({ text: 'SELECT count(*)::int AS n FROM wallet' })
  const uid = `agent-${row!.n}-of-${thief}`
  await addAccount(it, uid, 'agent')
  await addWallet(db, { uid, balanceSatang: DEAR.priceSatang, pin: VICTIM.pin, now: clock.now })
  await db.query({ text: 'DELETE FROM linked_identity WHERE subject = $1', values: [VICTIM.lineId] })
  await linkLine(it, uid, VICTIM.lineId)
  return uid
}

/** Takes an agent's account over by new secrets, and spends what is on its wallet. */
async function robAgent(thief: Thief): Promise<void> {
  const { it } = thief
  const uid = await addVictim(thief)
  await thief.do(setCustomAgentClaims, { body: { uid, ispinchange: false } })
  await thief.do(updateUserAuthentication, { body: { uid, password: PASSWORD } })
  const reset = await thief.do(resetPin, { params: { uid } })
  it.clock.advance(60)
  const entered = thief.handOf(it.as(uid))
  await entered.do(changePassword, { body: { password: `${PASSWORD} 2` } })
  it.clock.advance(60)
  const pin = reset?.pin === '7351' ? '7352' : '7351'
  await entered.do(changePin, { body: { oldPin: reset?.pin ?? '7353', pin } })
  await thief.spend(entered, pin)
}

const colleagueWay = (role: Role): Way => ({
  tries: `a friend made ${role === 'admin' ? 'an admin' : `a ${role}`} on the first day, and used as the second person on each`,
  takes: 'goods',
  control: 'who gave somebody a rank is not served by them as second person for 14 days',
  test: [
    'order/paying/proof.test.ts',
    'the second person is not its buyer, nor an account that the first could sign in to or made',
  ],
  refusal: role === 'admin' ? 'SECOND_WORD_NEEDED' : 'SECOND_PERSON_RECENT',
  ripens: true,
  async run(thief) {
    const { it, uid, day } = thief
    const friend = `${uid}-colleague`
    if (day === 0) {
      await addAccount(it, friend, 'customer')
      await thief.do(setUserRole, { body: { uid: friend, role, isActived: true } })
    }
    await payAndConfirm(thief, friend)
  },
})

export const accountWays = {
  staffMade: colleagueWay('staff'),
  managerMade: colleagueWay('manager'),
  adminMade: colleagueWay('admin'),
  adminEnded: {
    tries: 'another admin demoted, closed, and their password and authenticator app taken, to be the only one',
    takes: 'nothing by itself',
    control: 'it takes a third admin; and whoever ended an admin is never alone by that, however long they wait',
    test: ['access/rank.test.ts', 'who ended one is not alone once the other one resigned'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it, day } = thief
      const uid = `${thief.uid}-other-${day}`
      await addAccount(it, uid, 'admin')
      await it.db.query({
        text: `INSERT INTO account_totp (uid, secret) VALUES ($1, 'an app of theirs')`,
        values: [uid],
      })
      await thief.do(setUserRole, { body: { uid, role: 'customer', isActived: true } })
      await thief.do(setUserRole, { body: { uid, role: 'admin', isActived: false } })
      await thief.do(updateUserAuthentication, { body: { uid, password: PASSWORD } })
      await thief.do(resetTotp, { params: { uid } })
    },
  },
  colleagueReset: {
    tries: 'a colleague’s password and authenticator app reset, and their account used as second person',
    takes: 'goods',
    control:
      'who reset somebody is not served by them as second person for 24 hours; rank above one’s own can’t be reset',
    test: ['value/second-word.test.ts', 'who could act as the other is no second person'],
    refusal: 'SECOND_PERSON_RECENT',
    ripens: true,
    async run(thief) {
      const { it, uid, role } = thief
      const colleague = `${uid}-colleague`
      if (thief.day === 0) await addAccount(it, colleague, role === 'admin' ? 'manager' : 'staff')
      await it.db.query({
        text: `INSERT INTO account_totp (uid, secret) VALUES ($1, 'an app of theirs') ON CONFLICT (uid) DO UPDATE SET secret = excluded.secret`,
        values: [colleague],
      })
      await thief.do(updateUserAuthentication, { body: { uid: colleague, password: PASSWORD } })
      await thief.do(resetTotp, { params: { uid: colleague } })
      it.clock.advance(60)
      const own = thief.handOf(it.as(colleague))
      await own.do(changePassword, { body: { password: `${PASSWORD} 2` } })
      it.clock.advance(60)
      await payAndConfirm(thief, colleague)
    },
  },
  erasedByOneself: {
    tries: 'a friend’s account, whose goods were taken, erased at the friend’s wish, so that no log names them',
    takes: 'nothing by itself',
    control: 'an erasure takes a second admin, and leaves amounts, moments and who of the staff acted',
    test: ['privacy/erasure.test.ts', 'an account with everything is erased'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it, uid, day } = thief
      const friend = `${uid}-friend-${day}`
      await addAccount(it, friend, 'customer')
      const own = thief.handOf(it.as(friend))
      await own.do(askErasure, {})
      await own.do(withdrawErasure, {})
      await own.do(askErasure, {})
      const [asked] = await it.db.query<{ id: string }>({
        text: `SELECT id FROM erasure WHERE uids[1] = $1 AND state = 'asked'`,
        values: [friend],
      })
      await thief.do(approveErasure, { params: { id: asked!.id } })
    },
  },
  agentReset: {
    tries: 'an agent’s password and PIN reset, the account entered, and its wallet spent',
    takes: 'goods',
    control: 'a reset counts the wallet’s balance to the day of who resets; the owner is told at once',
    test: ['value/money-moves.test.ts', 'moves what lies on it: beyond the day of who sets it'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      for (const _ of MANY) await robAgent(thief)
    },
  },
  agentMade: {
    tries: 'an agent made by oneself, whose top-up is entered by a friend and approved by who made the account',
    takes: 'money on a wallet',
    control: 'who made an account, or knows its first PIN, puts no money on its wallet within 24 hours',
    test: ['wallet/top-ups.test.ts', 'who made an agent, and knows the first password and PIN'],
    refusal: 'TOP_UP_RECENT_RESET',
    async run(thief) {
      const { it, uid, day } = thief
      const named = { name: `${uid} ${day}`, firstName: 'ตัวแทน', lastName: uid, tel: '0812345678' }
      const bank = { bankCode: '004', bankAccount: '1112223334', isActived: true }
      const made = await thief.do(createAgentUser, {
        body: { ...named, ...bank, email: `${uid}-${day}@test.shop`, tierId: 100 },
      })
      if (!made?.agent.walletId) return
      const { walletId, uid: agent } = made.agent
      thief.accounts.add(agent)
      await thief.do(updateAgentUser, { body: { uid: agent, ...named, ...bank } })
      const slipId = await addSlip(it, 'u:staff-2')
      const entered = {
        walletId,
        // Another amount than others enter: transfers of one amount may be the same.
        amountSatang: 8000 * BAHT + day,
        slipId,
        receivingAccountId: fixture.accounts.promptPay,
      }
      const topUp = await it.as('staff-2').call(addTopUp, { body: entered, idempotencyKey: onceKey() })
      await thief.do(decideTopUp, { body: { id: topUp.id, version: 1, status: 'approve' }, idempotencyKey: onceKey() })
      await thief.do(setAgentStatus, { body: { uid: agent, isActived: false } })
    },
  },
  linksChanged: {
    tries: 'another’s way to sign in taken away, one’s own LINE put in its place, another’s profile changed',
    takes: 'nothing by itself',
    control: 'a link is of who signed in just now; its owner is told',
    test: ['access/link-removal.test.ts', 'is listed with when it came and what its provider says'],
    refusal: 'NOT_FOUND',
    async run(thief) {
      const { uid } = VICTIM
      await thief.do(removeLink, { params: { uid, provider: 'google.com' } })
      await thief.do(updateUser, { body: { uid, displayName: 'ตัวแทน' } })
      await thief.do(makeChatCode, { body: { purpose: 'managers' } })
      await thief.do(makeChatCode, { body: { purpose: 'staff' } })
    },
  },
} satisfies Record<string, Way>
