import type { Role } from '@shop/shared/permissions.ts'
import { agreeRefundPayee, sendOwedRefund, setRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { addTopUp, cancelTopUp, correctTopUp, decideTopUp, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { fixture } from '../../fixture.ts'
import { onceKey } from '../../shop.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { Hand, PlacedOrder, PuppetWallet, Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const BAHT = 100
/** Of a stranger, or typed: three of it are above the two-person amount. */
const PART = DEAR.priceSatang
const MANY = [...Array(TOO_MANY).keys()]
const bank = fixture.accounts.promptPay

/** Buys goods for all that stands on a wallet, so that nothing can be taken back. */
async function spendAll(thief: Thief, { hand }: PuppetWallet): Promise<void> {
  for (let bought: unknown = true; bought; ) bought = await thief.spend(hand, '1234')
}

/** Enters a top-up of a puppet's wallet and approves it. */
async function topUp(thief: Thief, wallet: PuppetWallet, by: Hand, amountSatang: number, more: object = {}) {
  const isOwner = by === wallet.hand
  const slipId = await thief.slip(isOwner ? wallet.uid : thief.uid)
  const entered = { amountSatang, slipId, receivingAccountId: bank, ...more }
  const made = isOwner
    ? await by.do(saveTopUp, { body: entered, idempotencyKey: onceKey() })
    : await by.do(addTopUp, { body: { walletId: wallet.walletId, ...entered }, idempotencyKey: onceKey() })
  if (made) thief.marks.add(made.no)
  return made
}

const approve = (thief: Thief, id: string, more: object = {}) =>
  thief.do(decideTopUp, { body: { id, version: 1, status: 'approve', ...more }, idempotencyKey: onceKey() })

/** A line of a stranger's money that nothing fits. */
const strangersLine = (thief: Thief, amountSatang = PART): Promise<string> => thief.it.bankTells(bank, amountSatang)

/** Says of a stranger's money that it is owed; undefined where that was refused. */
async function oweStrangersMoney(thief: Thief): Promise<{ id: string } | undefined> {
  const line = await strangersLine(thief)
  await thief.decide(line, { step: 'oweRefund' })
  const [owed] = await thief.it.db.query<{ id: string }>({
    text: 'SELECT id FROM owed_refund WHERE line_id = $1',
    values: [line],
  })
  return owed
}

export const moneyWays = {
  topUpByWord: {
    tries: 'top-ups of many friends’ wallets approved on slips that nobody checked, and spent',
    takes: 'goods',
    control: 'the day’s sum of who approves, over all wallets',
    test: ['value/money-moves.test.ts', 'count to the day of who approves them'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      for (const index of MANY) {
        const wallet = await thief.wallet()
        // Transfers of one amount at one moment may be the same.
        const made = await topUp(thief, wallet, wallet.hand, PART + 200 + index)
        if (made) await approve(thief, made.id)
        await spendAll(thief, wallet)
      }
    },
  },
  topUpOwnEntry: {
    tries: 'a top-up entered on a friend’s wallet, approved by who entered it; and one of the own wallet',
    takes: 'money on a wallet',
    control: 'who entered a top-up does not approve it',
    test: ['wallet/top-ups.test.ts', 'needs a slip, a manager, and somebody who did not enter it'],
    refusal: 'TOP_UP_OWN_ENTRY',
    async run(thief) {
      const wallet = await thief.wallet()
      const made = await topUp(thief, wallet, thief, PART)
      if (made) await approve(thief, made.id)
      await thief.do(saveTopUp, { body: { amountSatang: PART, slipId: null }, idempotencyKey: onceKey() })
    },
  },
  slipReused: {
    tries: 'the slip of a top-up that was approved handed in for another, and for one that was cancelled',
    takes: 'money on a wallet',
    control: 'a slip is of one top-up or order; the first of them counts to the day',
    test: ['wallet/top-ups.test.ts', 'a stored slip serves one top-up'],
    refusal: 'SLIP_REUSED',
    async run(thief) {
      const wallet = await thief.wallet()
      const slipId = await thief.slip(wallet.uid)
      const enter = (amountSatang: number) => topUp(thief, wallet, wallet.hand, amountSatang, { slipId })
      const first = await enter(PART)
      if (!first) return
      await approve(thief, first.id)
      const second = await enter(PART)
      if (second) await approve(thief, second.id)
      const third = await topUp(thief, wallet, wallet.hand, PART)
      if (third) await wallet.hand.do(cancelTopUp, { body: { id: third.id, status: 'cancel' } })
    },
  },
  topUpCorrected: {
    tries: 'an approved top-up spent and then corrected, and the correction approved anew',
    takes: 'goods',
    control: 'a correction takes money away and gives none; what was spent can’t be corrected',
    test: ['wallet/top-ups.test.ts', 'money that was spent already can not be taken back'],
    refusal: 'WALLET_BALANCE_TOO_LOW',
    async run(thief) {
      const wallet = await thief.wallet()
      const made = await topUp(thief, wallet, wallet.hand, PART)
      if (!made) return
      await approve(thief, made.id)
      const undo = () =>
        thief.do(correctTopUp, { body: { id: made.id, reason: 'ผิดรายการ' }, idempotencyKey: onceKey() })
      await spendAll(thief, wallet)
      await undo()
      await approve(thief, made.id)
    },
  },
  strangersLineCredited: {
    tries: 'strangers’ money of the bank’s lines put on friends’ wallets, and spent',
    takes: 'goods',
    control: 'the day’s sum of who credits, over all wallets',
    test: ['value/money-moves.test.ts', 'is added up per person, whatever the wallets'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      for (const _ of MANY) {
        const wallet = await thief.wallet()
        await thief.decide(await strangersLine(thief), { step: 'creditWallet', walletId: wallet.walletId })
        await spendAll(thief, wallet)
      }
    },
  },
  strangersLineToTopUp: {
    tries:
      'strangers’ money of days ago matched by hand to top-ups of friends that say as much, which are then approved',
    takes: 'goods',
    control: 'a line that a hand matches to what it does not fit counts to that person’s day',
    test: ['value/money-moves.test.ts', 'matched by hand to what it does not fit'],
    refusal: 'SECOND_WORD_NEEDED',
    ripens: true,
    async run(thief) {
      for (const index of MANY) {
        const line = thief.kept.get(`line ${index}`)
        thief.kept.set(`line ${index}`, await strangersLine(thief, PART + index))
        if (!line) continue
        const wallet = await thief.wallet()
        const made = await topUp(thief, wallet, wallet.hand, PART + index)
        if (made) {
          await thief.decide(line, { step: 'match', target: { kind: 'topUp', id: made.id } })
          await approve(thief, made.id)
        }
        await spendAll(thief, wallet)
      }
    },
  },
  strangersLineByItself: {
    tries:
      'friends’ top-ups that say as much as strangers’ money that just came, matched by the shop itself and approved',
    takes: 'goods',
    control:
      'money that came before its top-up, from an account that the wallet never used, counts to the day of who approves',
    test: ['value/money-moves.test.ts', 'one that was entered after its money was seen counts'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      for (const index of MANY) {
        await strangersLine(thief, PART + 100 + index)
        thief.it.clock.advance(60)
        const wallet = await thief.wallet()
        const made = await topUp(thief, wallet, wallet.hand, PART + 100 + index)
        await thief.it.work()
        if (made) await approve(thief, made.id)
        await spendAll(thief, wallet)
      }
    },
  },
  strangersLineToOrder: {
    tries: 'strangers’ money matched by hand to puppets’ orders that expired, of about or of exactly their amount',
    takes: 'goods',
    control: 'a line that a hand matches to what it does not fit counts to that person’s day',
    test: ['value/money-moves.test.ts', 'matched by hand to what it does not fit'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const placed: PlacedOrder[] = []
      for (const _ of MANY) placed.push(await thief.order())
      await thief.it.pass(25)
      for (const [index, order] of placed.entries()) {
        const line = await strangersLine(thief, order.amountSatang + (index === 0 ? 100 : 0))
        await thief.decide(line, { step: 'match', target: { kind: 'order', id: order.id }, overpaid: 'keep' })
      }
    },
  },
  overpaidCredited: {
    tries: 'a stranger’s large transfer matched to a friend’s small order, and the rest put on the friend’s wallet',
    takes: 'goods',
    control: 'what is above an order is a credit like any other',
    test: ['value/money-moves.test.ts', 'what is above an order is a credit like any other'],
    refusal: 'CREDIT_NEEDS_TWO',
    async run(thief) {
      const wallet = await thief.wallet()
      // Somebody who became an agent after they ordered as a customer.
      const setRole = (role: Role) =>
        thief.it.db.query({ text: 'UPDATE account SET role = $2 WHERE uid = $1', values: [wallet.uid, role] })
      await setRole('customer')
      const order = await thief.order({ packageId: fixture.pubg.package }, thief.it.as(wallet.uid))
      await setRole('agent')
      const line = await strangersLine(thief, order.amountSatang + 21_000 * BAHT)
      await thief.decide(line, { step: 'match', target: { kind: 'order', id: order.id }, overpaid: 'credit' })
      await spendAll(thief, wallet)
    },
  },
  strangersMoneySent: {
    tries: 'strangers’ money said to be owed to a puppet, and sent there',
    takes: 'money sent',
    control: 'an account that did not pay takes a second person before anything is sent there',
    test: ['statement/payer.test.ts', 'one person does not send it'],
    refusal: 'PAYEE_NOT_AGREED',
    async run(thief) {
      for (const _ of MANY) {
        const owed = await oweStrangersMoney(thief)
        if (!owed) continue
        const params = { id: owed.id }
        const own = { bankCode: '004', accountNo: '0123456789', accountName: 'Thief', payeeVersion: 0 }
        await thief.do(setRefundPayee, { params, body: own })
        for (const isSlipCompared of [true, false]) {
          const agreed = { payeeVersion: 1, isSlipCompared }
          await thief.do(agreeRefundPayee, { params, body: agreed, idempotencyKey: onceKey() })
        }
        const body = { receivingAccountId: bank, reference: 'R1', payeeVersion: 1 }
        await thief.do(sendOwedRefund, { params, body, idempotencyKey: onceKey() })
      }
    },
  },
  payeeSwapped: {
    tries: 'money of strangers that is owed, turned to an account of one’s own and sent there',
    takes: 'money sent',
    control: 'who sends it reads who wrote the account, and one that did not pay takes a second person',
    test: ['statement/payer.test.ts', 'what staff write down for the buyer'],
    refusal: 'PAYEE_CHANGED',
    async run(thief) {
      for (const _ of MANY) {
        const owed = await oweStrangersMoney(thief)
        if (!owed) continue
        const params = { id: owed.id }
        const own = { ...thief.payee, payeeVersion: 0 }
        await thief.do(setRefundPayee, { params, body: own })
        // Once as if the account were still the one that others have seen.
        for (const payeeVersion of [0, 1]) {
          const body = { receivingAccountId: bank, reference: 'R1', payeeVersion }
          await thief.do(sendOwedRefund, { params, body, idempotencyKey: onceKey() })
        }
      }
    },
  },
} satisfies Record<string, Way>
