import { setCustomAgentClaims } from '@shop/shared/account/endpoints.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as statement from '@shop/shared/statement/endpoints.ts'
import { importStatementFile, readStatementFile } from '@shop/shared/statement/import-endpoints.ts'
import { listOwedRefunds, sendOwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { listValueMovers } from '@shop/shared/value/endpoints.ts'
import { addTopUp, decideTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { matchLines } from '../statement/matching.ts'
import { deskOf } from '../testing/decisions.ts'
import { fixture } from '../testing/fixture.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf, scbFile } from '../testing/statement.ts'
import { addSlip, addWallet, walletBalance } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'

const BAHT = 100
const LIMIT = 20_000 * BAHT
const because = { reason: 'ตัวแทนโอนตรง' }

let it: TestShop
let agents = 0
beforeEach(async () => {
  it = await createTestShop()
  for (const uid of ['manager-2', 'manager-3']) await addAccount(it, uid, 'manager')
})
afterEach(() => it.db.close())

const { line, order, change } = deskOf(() => it)

async function newAgent(): Promise<{ uid: string; walletId: string }> {
  const uid = `agent-${++agents}`
  await addAccount(it, uid, 'agent')
  return { uid, walletId: await addWallet(it.db, { uid, balanceSatang: 0, pin: '1234', now: it.clock.now }) }
}

const credit = (id: string, walletId: string, version = 1) => ({
  params: { id },
  body: { step: 'creditWallet' as const, version, walletId, ...because },
  idempotencyKey: onceKey(),
})
const creditBy = (uid: string, id: string, walletId: string) =>
  it.as(uid).codeOf(statement.decideStatementLine, credit(id, walletId))
const movedBy = async (uid: string) => {
  const { movers } = await it.as('admin').call(listValueMovers, {})
  return (movers.find(each => each.uid === uid)?.kinds ?? []).reduce((sum, { sumSatang }) => sum + sumSatang, 0)
}

describe('money of lines onto wallets', () => {
  test('is added up per person, whatever the wallets; another one confirms the rest, and it is done once', async () => {
    const [one, two] = [await newAgent(), await newAgent()]
    expect(await creditBy('manager', await line(LIMIT - 100), one.walletId)).toBe('OK')
    const id = await line(200)
    const asked = credit(id, two.walletId)
    const wordId = await wordOf(it.as('manager'), statement.decideStatementLine, asked)
    expect(await walletBalance(it.db, two.uid)).toBe(0)
    // Somebody else has a day of their own.
    expect(await creditBy('manager-2', await line(500), two.walletId)).toBe('OK')
    await giveWord(it, 'manager-3', wordId)
    expect(await walletBalance(it.db, two.uid)).toBe(700)
    // The answer to who asked, repeated, is what was done.
    expect(await it.as('manager').codeOf(statement.decideStatementLine, asked)).toBe('OK')
    expect(await walletBalance(it.db, two.uid)).toBe(700)
    // What had a second person is not added to what was done alone; a new day begins at nothing.
    expect(await creditBy('manager', await line(100), one.walletId)).toBe('OK')
    expect(await creditBy('manager', await line(1), two.walletId)).toBe('SECOND_WORD_NEEDED')
    it.clock.now = new Date('2026-11-20T17:00:00.000Z')
    expect(await creditBy('manager', await line(100), two.walletId)).toBe('OK')
  })

  test('in parallel no more than the sum of a day goes through on one word', async () => {
    const asked = await Promise.all(
      Array.from({ length: 8 }, async () => ({ id: await line(5000 * BAHT), walletId: (await newAgent()).walletId })),
    )
    const codes = await Promise.all(asked.map(({ id, walletId }) => creditBy('manager', id, walletId)))
    expect(codes.filter(code => code === 'OK').length).toBe(4)
    expect(codes.filter(code => code === 'SECOND_WORD_NEEDED').length).toBe(4)
    expect(await movedBy('manager')).toBe(LIMIT)
  })

  test("an owner's PIN in the hands of who credits: however little it is, another one looks, and not one who holds it too", async () => {
    const { uid, walletId } = await newAgent()
    await it.as('manager').call(resetPin, { params: { uid } })
    await it.as('manager-2').call(resetPin, { params: { uid } })
    const wordId = await wordOf(it.as('manager'), statement.decideStatementLine, credit(await line(100), walletId))
    await expect(giveWord(it, 'manager-2', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
    await giveWord(it, 'manager-3', wordId)
    expect(await walletBalance(it.db, uid)).toBe(100)
  })

  test('a line of a file that somebody gave is their own word', async () => {
    const { uid, walletId } = await newAgent()
    const params = { receivingAccountId: fixture.accounts.second }
    const file = scbFile([{ at: addSeconds(it.clock.now, -60), amountSatang: 30_000 }])
    const { fileId } = await it.as('manager').call(readStatementFile, { params, file })
    await it.as('manager').call(importStatementFile, {
      params: { fileId },
      body: { mapping: null, remember: false },
      idempotencyKey: onceKey(),
    })
    const [made] = await it.db.query<{ id: string; version: number }>({
      text: 'SELECT id, version FROM statement_line',
    })
    const asked = credit(made!.id, walletId, made!.version)
    expect(
      await it
        .as('manager-2')
        .codeOf(statement.decideStatementLine, { ...asked, body: { ...asked.body, version: 99 } }),
    ).toBe('CONFLICT')
    const wordId = await wordOf(it.as('manager'), statement.decideStatementLine, asked)
    expect(await walletBalance(it.db, uid)).toBe(0)
    await giveWord(it, 'manager-2', wordId)
    expect(await walletBalance(it.db, uid)).toBe(30_000)
  })

  test('matched by hand to what it does not fit counts as much, on a wallet or for an order', async () => {
    const one = await newAgent()
    const match = async (id: string, target: { kind: 'order' | 'topUp'; id: string }) => {
      const body = { step: 'match' as const, version: 1, target, overpaid: 'keep' as const, ...because }
      const asked = { params: { id }, body, idempotencyKey: onceKey() }
      return it.as('manager').codeOf(statement.decideStatementLine, asked)
    }
    const old = await line(LIMIT)
    it.clock.advance(25 * 3600)
    const slipId = await addSlip(it, 'u:staff')
    const entered = { body: { walletId: one.walletId, amountSatang: LIMIT, slipId }, idempotencyKey: onceKey() }
    const topUp = await it.as('staff').call(addTopUp, entered)
    expect(await match(old, { kind: 'topUp', id: topUp.id })).toBe('OK')
    expect(await movedBy('manager')).toBe(LIMIT)
    // Somebody's money that came when the order's time was long over.
    const late = await order()
    it.clock.advance(3600)
    await expireOrders(it.shop)
    const strangers = await line(late.amountSatang)
    expect(await match(strangers, late.target)).toBe('SECOND_WORD_NEEDED')
    // What fits is the bank's word.
    const fitting = await order()
    expect(await match(await line(fitting.amountSatang), fitting.target)).toBe('OK')
  })

  test('what is above an order is a credit like any other', async () => {
    await newAgent()
    await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: '1234', now: it.clock.now })
    const bought = await order()
    await it.db.query({ text: `UPDATE orders SET buyer_uid = 'agent' WHERE order_no = $1`, values: [bought.orderNo] })
    await it.as('manager').call(resetPin, { params: { uid: 'agent' } })
    const id = await line(bought.amountSatang + 700)
    const body = { step: 'match' as const, version: 1, target: bought.target, overpaid: 'credit' as const, ...because }
    const asked = { params: { id }, body, idempotencyKey: onceKey() }
    expect(await it.as('manager').codeOf(statement.decideStatementLine, asked)).toBe('SECOND_WORD_NEEDED')
    expect(await it.as('manager-2').codeOf(statement.decideStatementLine, asked)).toBe('OK')
    expect(await walletBalance(it.db, 'agent')).toBe(700)
  })
})

describe('top-ups that nobody but people prove', () => {
  const enter = async (walletId: string, amountSatang: number) => {
    const slipId = await addSlip(it, 'u:staff')
    const made = await it
      .as('staff')
      .call(addTopUp, { body: { walletId, amountSatang, slipId }, idempotencyKey: onceKey() })
    return { body: { id: made.id, version: 1, status: 'approve' as const }, idempotencyKey: onceKey() }
  }

  test('count to the day of who approves them, over all wallets', async () => {
    const [one, two] = [await newAgent(), await newAgent()]
    expect(await it.as('manager').codeOf(decideTopUp, await enter(one.walletId, LIMIT))).toBe('OK')
    const asked = await enter(two.walletId, 10_000)
    const wordId = await wordOf(it.as('manager'), decideTopUp, asked)
    await giveWord(it, 'manager-2', wordId)
    expect(await walletBalance(it.db, two.uid)).toBe(10_000)
  })

  test('one whose line the bank told counts to nobody', async () => {
    const { walletId } = await newAgent()
    const asked = await enter(walletId, 12_345)
    const id = await line(12_345)
    const target = { kind: 'topUp' as const, id: asked.body.id }
    const body = { step: 'match' as const, version: 1, target, ...because }
    await it.as('manager-2').call(statement.decideStatementLine, { params: { id }, body, idempotencyKey: onceKey() })
    expect(await it.as('manager').codeOf(decideTopUp, asked)).toBe('OK')
    expect(await movedBy('manager')).toBe(0)
  })

  test('one that was entered after its money was seen counts, unless the wallet was topped up from that account before', async () => {
    const [one, two] = [await newAgent(), await newAgent()]
    /** The line first, and a minute later a top-up of its amount, which the shop matches to it. */
    const approve = async ({ walletId }: typeof one, amountSatang: number) => {
      await addLines(it, [lineOf({ amountSatang, at: it.clock.now, fromBank: 'kbank', fromAccount: 'x-1234' })])
      it.clock.advance(60)
      const asked = await enter(walletId, amountSatang)
      await matchLines(it.shop)
      return it.as('manager').codeOf(decideTopUp, asked)
    }
    expect(await approve(one, LIMIT - 6000 * BAHT)).toBe('OK')
    expect(await movedBy('manager')).toBe(LIMIT - 6000 * BAHT)
    expect(await approve(one, 5000 * BAHT)).toBe('OK')
    expect(await walletBalance(it.db, one.uid)).toBe(LIMIT - 1000 * BAHT)
    expect(await movedBy('manager')).toBe(LIMIT - 6000 * BAHT)
    expect(await approve(two, 6001 * BAHT)).toBe('SECOND_WORD_NEEDED')
  })
})

describe('refunds', () => {
  test('that are sent, or go back to a wallet, count to who does it; those that are owed are told', async () => {
    const bought = await order()
    await change(bought.orderNo, 'paid', 'staff')
    expect(await change(bought.orderNo, 'refunded')).toBe('OK')
    const [owed] = (await it.as('manager').call(listOwedRefunds, {})).rows
    await it.db.query({ text: 'UPDATE owed_refund SET amount_satang = $1', values: [LIMIT + 1] })
    const sent = {
      params: { id: owed!.id },
      body: {
        receivingAccountId: fixture.accounts.promptPay,
        reference: 'R1',
        payeeVersion: await agreePayee(it, owed!.id),
      },
      idempotencyKey: onceKey(),
    }
    const wordId = await wordOf(it.as('manager'), sendOwedRefund, sent)
    await giveWord(it, 'manager-2', wordId)
    const { movers } = await it.as('admin').call(listValueMovers, {})
    expect(movers.find(({ uid }) => uid === 'manager')!.kinds).toMatchObject([
      { kind: 'refundSent', sumSatang: LIMIT + 1, seconded: 1 },
      { kind: 'refundOwed', count: 1, seconded: 0 },
    ])
  })

  test('to a wallet wait above the sum, and a buyer does not confirm their own', async () => {
    await addWallet(it.db, { uid: 'manager-2', balanceSatang: 100_000, pin: '1234', now: it.clock.now })
    const sold = { gameId: fixture.pubg.id, packageId: fixture.pubg.package, playerId: '1', termsVersion: '1' }
    const { orderNo } = await it
      .as('manager-2')
      .call(confirmOrder, { body: { ...sold, pin: '1234' }, idempotencyKey: onceKey() })
    await it.db.query({ text: `UPDATE option SET value = '0' WHERE name = 'TWO_PERSON_APPROVAL_AMOUNT'` })
    await it.db.query({
      text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '0') ON CONFLICT DO NOTHING`,
    })
    const asked = { body: { orderNo, status: 'refunded' as const, reason: 'ลูกค้าขอคืนเงิน' } }
    const wordId = await wordOf(it.as('manager'), updateOrderStatus, asked)
    await expect(giveWord(it, 'manager-2', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
    await giveWord(it, 'manager-3', wordId)
    expect(await walletBalance(it.db, 'manager-2')).toBe(100_000)
  })
})

describe("a new PIN for somebody's wallet", () => {
  const reset = (uid: string, owner: string) => it.as(uid).codeOf(resetPin, { params: { uid: owner } })
  async function agentWith(balanceSatang: number): Promise<string> {
    const uid = `agent-${++agents}`
    await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang, pin: '1234', now: it.clock.now })
    return uid
  }

  test('moves what lies on it: beyond the day of who sets it, it takes another, and who asked sees the PIN', async () => {
    const [poor, small, rich] = [await agentWith(0), await agentWith(LIMIT - 100), await agentWith(101)]
    expect([await reset('manager', small), await reset('manager', poor)]).toEqual(['OK', 'OK'])
    expect(await movedBy('manager')).toBe(LIMIT - 100)
    const asked = { params: { uid: rich } }
    const wordId = await wordOf(it.as('manager'), resetPin, asked)
    expect(await giveWord(it, 'manager-2', wordId)).toEqual({ isDone: false })
    const { pin } = await it.as('manager').call(resetPin, asked)
    expect(pin).toMatch(/^[0-9]{4}$/)
    expect(await reset('manager', rich)).toBe('SECOND_WORD_NEEDED')
    // Empty wallets are as easy to help as ever.
    expect(await reset('manager', poor)).toBe('OK')
  })

  test('a word that was given for less is worth nothing; the next one is', async () => {
    const uid = await agentWith(LIMIT + 100)
    await giveWord(it, 'manager-2', await wordOf(it.as('manager'), resetPin, { params: { uid } }))
    await it.db.query({ text: 'UPDATE wallet SET balance_satang = balance_satang + 1 WHERE uid = $1', values: [uid] })
    await giveWord(it, 'manager-2', await wordOf(it.as('manager'), resetPin, { params: { uid } }))
    expect(await reset('manager', uid)).toBe('OK')
  })

  test('a password alone spends nothing: a new PIN takes the old one, also where a change is due', async () => {
    const uid = await agentWith(500)
    await it.as('manager').call(setCustomAgentClaims, { body: { uid, ispinchange: false, ispasswordchange: false } })
    const change = (oldPin: string) => it.as(uid).codeOf(changePin, { body: { oldPin, pin: '9753' } })
    expect(await change('0000')).toBe('OLD_PIN_WRONG')
    expect(await change('1234')).toBe('OK')
  })
})
