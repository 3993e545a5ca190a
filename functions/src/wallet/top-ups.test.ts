import { updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { createAgentUser, mapTier } from '@shop/shared/agent/endpoints.ts'
import { confirmPrice, reportOrderTransfer, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import sharp from 'sharp'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet, TIER, walletBalance } from '../testing/wallet.ts'
import { checkLedger } from './ledger-check.ts'
import { postLedger } from './store.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  await addAccount(it, 'manager2', 'manager')
})
afterAll(async () => {
  expect((await checkLedger(it.db)).breaches).toEqual([])
  await it.db.close()
})

let agent = ''
let walletId = ''
let count = 0
beforeEach(async () => {
  agent = `agent-${++count}`
  await addAccount(it, agent, 'agent')
  walletId = await addWallet(it.db, { uid: agent, balanceSatang: 50_000, pin: null, now: it.clock.now })
})

interface Change {
  id?: string
  amountSatang?: number
  slipId?: string | null
  receivingAccountId?: number | null
}
const body = (change: Change) => ({ amountSatang: 100_000, slipId: null, ...change })
const save = (change: Change = {}, uid = agent, idempotencyKey = onceKey()) =>
  it.as(uid).call(contract.saveTopUp, { body: body(change), idempotencyKey })
const saveCode = (change: Change, uid = agent) =>
  it.as(uid).codeOf(contract.saveTopUp, { body: body(change), idempotencyKey: onceKey() })
let slips = 0
/** A slip of a transfer of its own. */
const slip = (uid = agent) => addSlip(it, `u:${uid}`, `own ${++slips}`)

const detailsOf = (id: string, uid = 'manager') => it.as(uid).call(contract.getTopUpForStaff, { params: { id } })
interface Decision {
  status?: 'approve' | 'reject'
  reason?: string
  receivingAccountId?: number
  version?: number
}
async function decide(id: string, decision: Decision = {}, uid = 'manager', idempotencyKey = onceKey()) {
  const version = decision.version ?? (await detailsOf(id)).version
  const sent = { id, status: 'approve' as const, ...decision, version }
  return it.as(uid).codeOf(contract.decideTopUp, { body: sent, idempotencyKey })
}

describe('asking for a top-up', () => {
  test('a request waits, is counted as waiting and moves no money until it is approved', async () => {
    const { id, no } = await save({ slipId: await slip() })
    expect(no).toMatch(/^WT2611-\d{8}$/)
    const before = await it.as(agent).call(contract.getWallet, {})
    expect(before).toMatchObject({ balanceSatang: 50_000, waitingSatang: 100_000, thisMonthSatang: 0 })
    expect(before.roomSatang).toBe(TIER.maxAmountSatang - 50_000)
    expect(await decide(id)).toBe('OK')
    const after = await it.as(agent).call(contract.getWallet, {})
    expect(after).toMatchObject({ balanceSatang: 150_000, waitingSatang: 0, thisMonthSatang: 100_000 })
  })

  test('above the room and below the minimum are refused with the number that would do', async () => {
    const room = TIER.maxAmountSatang - 50_000
    const message = (amountSatang: number) => save({ amountSatang }).catch((error: Error) => error.message)
    expect(await message(room + 1)).toBe('คุณสามารถเติมเงินได้สูงสุด 199,500 บาท')
    expect(await message(TIER.minTopUpSatang - 1)).toBe('คุณสามารถเติมเงินได้ต่ำสุด 100 บาท')
    expect(await saveCode({ amountSatang: room })).toBe('OK')
    expect(await saveCode({ amountSatang: TIER.minTopUpSatang })).toBe('OK')
    for (const amountSatang of [0, -100_000, 1.5, 2 ** 53])
      expect(await saveCode({ amountSatang })).toBe('INVALID_INPUT')
  })

  test('the same save twice at once is one request', async () => {
    const key = onceKey()
    const saved = await Promise.all([save({}, agent, key), save({}, agent, key), save({}, agent, key)])
    expect(new Set(saved.map(({ no }) => no)).size).toBe(1)
    const { total } = await it
      .as(agent)
      .call(contract.listOwnTransactions, { query: { actionType: ['เติมเงิน'], status: ['waiting_approve'] } })
    expect(total).toBe(1)
  })

  test('a waiting request can be edited and cancelled by its owner, a foreign one is not there', async () => {
    const { id, no } = await save()
    expect(await save({ id, amountSatang: 200_000 })).toMatchObject({ id, no })
    const [row] = (await it.as(agent).call(contract.listOwnTransactions, {})).rows
    expect(row).toMatchObject({ no, amountSatang: 200_000, canEdit: true, canCancel: true, status: 'waiting_approve' })
    await addAccount(it, `${agent}-other`, 'agent')
    await addWallet(it.db, { uid: `${agent}-other`, balanceSatang: 0, pin: null, now: it.clock.now })
    expect(await saveCode({ id }, `${agent}-other`)).toBe('NOT_FOUND')
    const cancel = (uid: string) => it.as(uid).codeOf(contract.cancelTopUp, { body: { id, status: 'cancel' } })
    expect(await cancel(`${agent}-other`)).toBe('NOT_FOUND')
    expect(await cancel(agent)).toBe('OK')
    expect(await cancel(agent)).toBe('TOP_UP_NOT_WAITING')
    expect(await saveCode({ id })).toBe('TOP_UP_NOT_WAITING')
    expect(await decide(id)).toBe('TOP_UP_NOT_WAITING')
  })

  test('a person without a wallet, a customer and nobody can ask for none', async () => {
    expect(await saveCode({}, 'staff')).toBe('WALLET_NOT_FOUND')
    expect(await it.as('staff').codeOf(contract.getWallet, {})).toBe('WALLET_NOT_FOUND')
    expect(await saveCode({}, 'customer')).toBe('FORBIDDEN')
    expect(await it.as(null).codeOf(contract.getWallet, {})).toBe('UNAUTHENTICATED')
  })
})

describe('slips', () => {
  test('a stored slip serves one top-up, and one bank transfer pays one top-up or order', async () => {
    const first = await slip()
    expect(await saveCode({ slipId: first })).toBe('OK')
    expect(await saveCode({ slipId: first })).toBe('SLIP_REUSED')
    const photographed = () => addSlip(it, `u:${agent}`, 'REF-1')
    const twice = [await save({ slipId: await photographed() }), await save({ slipId: await photographed() })]
    const decided = await Promise.all(twice.map(({ id }) => decide(id)))
    expect(decided.toSorted()).toEqual(['OK', 'SLIP_PAID_OTHER'])
    expect(await saveCode({ slipId: await photographed() })).toBe('SLIP_REUSED')
    expect(await saveCode({ slipId: await slip('staff') })).toBe('SLIP_NOT_FOUND')
    expect(await saveCode({ slipId: uuidv7() })).toBe('SLIP_NOT_FOUND')
  })

  test('a reference that paid an order is refused for a top-up', async () => {
    const guest = it.as('customer')
    const request = { gameId: 1, packageId: 1, playerId: '1', receivingAccountId: 1, termsVersion: '1' }
    const { orderNo } = await guest.call(confirmPrice, { body: request, idempotencyKey: onceKey() })
    const slipId = await addSlip(it, 'u:customer', 'REF-ORDER')
    await guest.call(reportOrderTransfer, { params: { orderNo }, body: { slipId }, idempotencyKey: onceKey() })
    await it.as('staff').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นยอด' } })
    expect(await saveCode({ slipId: await addSlip(it, `u:${agent}`, 'REF-ORDER') })).toBe('SLIP_REUSED')
  })

  test('a slip of a cancelled, rejected or edited request can be used again', async () => {
    const slipId = await slip()
    const { id } = await save({ slipId })
    await it.as(agent).call(contract.cancelTopUp, { body: { id, status: 'cancel' } })
    const second = await save({ slipId })
    expect(await decide(second.id, { status: 'reject', reason: 'ยอดไม่ตรง' })).toBe('OK')
    const third = await save({ slipId })
    await save({ id: third.id, slipId: await slip() })
    expect(await saveCode({ slipId })).toBe('OK')
  })

  test('an edit that keeps its slip goes on with it, and the slip stays taken', async () => {
    const slipId = await slip()
    const { id } = await save({ slipId })
    expect(await saveCode({ id, slipId, amountSatang: 200_000 })).toBe('OK')
    expect(await saveCode({ slipId })).toBe('SLIP_REUSED')
  })

  test('a picture that was really uploaded pays a top-up and staff can see it', async () => {
    const picture = await sharp({ create: { width: 80, height: 120, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const file = new Blob([new Uint8Array(picture)], { type: 'image/png' })
    const uploaded = await it.as(agent).call(uploadSlip, { file, idempotencyKey: onceKey() })
    const { id } = await save({ slipId: uploaded.id })
    expect((await detailsOf(id)).slipId).toBe(uploaded.id)
  })
})

describe('approving', () => {
  test('needs a slip, a manager, and somebody who did not enter it and does not own it', async () => {
    const bare = await save()
    expect(await decide(bare.id)).toBe('TOP_UP_NEEDS_SLIP')
    const { id } = await save({ slipId: await slip() })
    expect(await decide(id, {}, 'staff')).toBe('FORBIDDEN')
    expect(await decide(id, {}, agent)).toBe('FORBIDDEN')

    const slipId = await slip('manager')
    const input = { body: { walletId, amountSatang: 100_000, slipId }, idempotencyKey: onceKey() }
    const own = await it.as('manager').call(contract.addTopUp, input)
    expect((await detailsOf(own.id)).approvalBarrier).toBe('TOP_UP_OWN_ENTRY')
    expect(await decide(own.id)).toBe('TOP_UP_OWN_ENTRY')
    expect(await decide(own.id, {}, 'manager2')).toBe('OK')

    const ownerWallet = await addWallet(it.db, { uid: 'admin', balanceSatang: 0, pin: null, now: it.clock.now })
    const forOwner = { walletId: ownerWallet, amountSatang: 100_000, slipId: await slip('staff') }
    const owners = await it.as('staff').call(contract.addTopUp, { body: forOwner, idempotencyKey: onceKey() })
    expect(await decide(owners.id, {}, 'admin')).toBe('TOP_UP_OWN_ENTRY')
  })

  test('rejecting needs a reason, which the agent reads', async () => {
    const { id, no } = await save({ slipId: await slip() })
    expect(await decide(id, { status: 'reject' })).toBe('REASON_REQUIRED')
    expect(await decide(id, { status: 'reject', reason: '  ' })).toBe('REASON_REQUIRED')
    expect(await decide(id, { status: 'reject', reason: 'ไม่พบยอดโอน' })).toBe('OK')
    const { rows } = await it.as(agent).call(contract.listOwnTransactions, { query: { transactionNo: no } })
    expect(rows).toMatchObject([{ status: 'reject', reason: 'ไม่พบยอดโอน', canEdit: false, canCancel: false }])
    expect(await walletBalance(it.db, agent)).toBe(50_000)
  })

  test('the room is checked again: two requests that fit alone do not fit together', async () => {
    const amountSatang = TIER.maxAmountSatang - 50_000
    const option = (value: string) =>
      it.db.query({
        text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', $1)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        values: [value],
      })
    await option('10000000')
    const requests = [await save({ amountSatang, slipId: await slip() }), await save({ slipId: await slip() })]
    expect(await decide(requests[0]!.id)).toBe('OK')
    expect((await detailsOf(requests[1]!.id)).approvalBarrier).toBe('TOP_UP_ABOVE_ROOM')
    expect(await decide(requests[1]!.id)).toBe('TOP_UP_ABOVE_ROOM')
    await option('20000')
  })

  test('above 20,000 baht two different people are needed, and an edit starts over', async () => {
    const { id } = await save({ amountSatang: 2_000_001, slipId: await slip() })
    const first = await it.as('manager').call(contract.decideTopUp, {
      body: { id, status: 'approve', version: 1 },
      idempotencyKey: onceKey(),
    })
    expect(first.status).toBe('waiting_approve')
    expect(await walletBalance(it.db, agent)).toBe(50_000)
    expect(await decide(id)).toBe('TOP_UP_NEEDS_SECOND_APPROVER')
    await save({ id, amountSatang: 2_500_000, slipId: await slip() })
    expect(await decide(id)).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(50_000)
    expect(await decide(id, {}, 'manager2')).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(2_550_000)
  })

  test('what one wallet received on the Bangkok day counts: parts of a large amount need two people as well', async () => {
    const exactly = await save({ amountSatang: 2_000_000, slipId: await slip() })
    // Somebody who approved nothing on this day.
    await addAccount(it, 'manager3', 'manager')
    expect(await decide(exactly.id, {}, 'manager3')).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(2_050_000)
    const { id } = await save({ slipId: await slip() })
    expect(await detailsOf(id)).toMatchObject({ needsTwoApprovers: true, receivedTodaySatang: 2_000_000 })
    await decide(id)
    expect(await walletBalance(it.db, agent)).toBe(2_050_000)
    expect(await decide(id, {}, 'manager2')).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(2_150_000)
    // 12:00 in Bangkok: twelve hours later a new day begins.
    it.clock.advance(12 * 3600)
    expect(await decide((await save({ slipId: await slip() })).id)).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(2_250_000)
  })

  test('a changed receiving account voids the first approval', async () => {
    const { id } = await save({ amountSatang: 2_500_000, slipId: await slip(), receivingAccountId: 1 })
    await decide(id)
    expect(await decide(id, { receivingAccountId: fixture.accounts.second }, 'manager2')).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(50_000)
    expect(await detailsOf(id)).toMatchObject({ status: 'waiting_approve', firstApprovedByName: 'manager2' })
    expect(await decide(id, {}, 'manager2')).toBe('TOP_UP_NEEDS_SECOND_APPROVER')
    expect(await decide(id)).toBe('OK')
    expect(await walletBalance(it.db, agent)).toBe(2_550_000)
  })

  test('who made an agent, and knows the first password and PIN, does not approve what that agent enters on the day', async () => {
    const person = { name: `new-${count}`, firstName: 'ก', lastName: 'ข', tel: '0812345678', isActived: true }
    const bank = { bankCode: '004', bankAccount: '0123456789', email: `new-${count}@test.shop` }
    const made = await it.as('manager').call(createAgentUser, { body: { ...person, ...bank } })
    const { uid } = made.agent
    const mapped = await it.as('manager2').call(mapTier, { body: { uid, tierId: TIER.id, isActived: true } })
    await it.db.query({
      text: 'UPDATE account SET must_change_pin = false, must_change_password = false WHERE uid = $1',
      values: [uid],
    })
    const { id } = await save({ slipId: await slip(uid) }, uid)
    expect(mapped.agent.walletId).not.toBeNull()
    expect([await decide(id), await decide(id, {}, 'manager2')]).toEqual(['TOP_UP_RECENT_RESET', 'TOP_UP_RECENT_RESET'])
    expect(await decide(id, {}, 'admin')).toBe('OK')
  })

  test('nobody approves what an account entered or first approved whose password or PIN they set within a day', async () => {
    const { id } = await save({ slipId: await slip() })
    await it.as('manager').call(resetPin, { params: { uid: agent } })
    expect((await detailsOf(id)).approvalBarrier).toBe('TOP_UP_RECENT_RESET')
    expect(await decide(id)).toBe('TOP_UP_RECENT_RESET')
    expect((await detailsOf(id, 'manager2')).approvalBarrier).toBeNull()
    it.clock.advance(24 * 3600)
    expect(await decide(id)).toBe('OK')

    await it.db.query({ text: 'UPDATE account SET must_change_pin = false WHERE uid = $1', values: [agent] })
    const large = await save({ amountSatang: 2_500_000, slipId: await slip() })
    await decide(large.id, {}, 'manager2')
    const password = 'another-password'
    await it.as('admin').call(updateUserAuthentication, { body: { uid: 'manager2', password } })
    await it.db.query({ text: `UPDATE account SET must_change_password = false WHERE uid = 'manager2'` })
    expect(await decide(large.id, {}, 'admin')).toBe('TOP_UP_RECENT_RESET')
    expect(await decide(large.id)).toBe('OK')
  })

  test('what is approved is what was looked at: an edit in between is a conflict', async () => {
    const { id } = await save({ slipId: await slip() })
    const seen = (await detailsOf(id)).version
    await save({ id, amountSatang: 900_000, slipId: await slip() })
    expect(await decide(id, { version: seen })).toBe('CONFLICT')
    expect(await walletBalance(it.db, agent)).toBe(50_000)
  })

  test('double approval, approve and reject at once, and a double click have one effect', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await walletBalance(it.db, agent)
      const doubled = await save({ slipId: await slip() })
      const codes = await Promise.all([
        decide(doubled.id),
        decide(doubled.id, {}, 'manager2'),
        decide(doubled.id, {}, 'admin'),
      ])
      expect(codes.sort()).toEqual(['OK', 'TOP_UP_NOT_WAITING', 'TOP_UP_NOT_WAITING'])
      expect(await walletBalance(it.db, agent)).toBe(before + 100_000)

      const raced = await save({ slipId: await slip() })
      const [approved, rejected, cancelled] = await Promise.all([
        decide(raced.id),
        decide(raced.id, { status: 'reject', reason: 'ไม่พบยอด' }, 'manager2'),
        it.as(agent).codeOf(contract.cancelTopUp, { body: { id: raced.id, status: 'cancel' } }),
      ])
      expect([approved, rejected, cancelled].filter(code => code === 'OK')).toHaveLength(1)
      const paid = approved === 'OK' ? 200_000 : 100_000
      expect(await walletBalance(it.db, agent)).toBe(before + paid)

      const clicked = await save({ slipId: await slip() })
      const key = onceKey()
      const { version } = await detailsOf(clicked.id)
      const clicks = [1, 2, 3].map(() => decide(clicked.id, { version }, 'manager', key))
      expect(await Promise.all(clicks)).toEqual(['OK', 'OK', 'OK'])
      expect(await walletBalance(it.db, agent)).toBe(before + paid + 100_000)
    }
  })

  test('money comes from the bank account that was named, else from suspense', async () => {
    const sumOf = async (account: string) => {
      const text = 'SELECT coalesce(sum(amount_satang), 0)::bigint AS sum FROM ledger_entry WHERE account = $1'
      const [row] = await it.db.query<{ sum: number }>({ text, values: [account] })
      return row!.sum
    }
    const [bank, suspense] = [await sumOf('bank:2'), await sumOf('suspense')]
    await decide((await save({ slipId: await slip(), receivingAccountId: fixture.accounts.second })).id)
    await decide((await save({ slipId: await slip() })).id, { receivingAccountId: fixture.accounts.second })
    await decide((await save({ slipId: await slip() })).id)
    expect(await sumOf('bank:2')).toBe(bank - 200_000)
    expect(await sumOf('suspense')).toBe(suspense - 100_000)
    expect(await saveCode({ receivingAccountId: fixture.accounts.closed })).toBe('RECEIVING_ACCOUNT_NOT_FOUND')
  })

  test('every decision of the back office is in the audit log', async () => {
    const { id } = await save({ slipId: await slip() })
    await decide(id)
    const rows = await it.db.query({
      text: `SELECT action, actor_uid AS "actorUid", after->>'status' AS status FROM audit_entry WHERE subject = $1`,
      values: [`topUp:${id}`],
    })
    expect(rows).toEqual([{ action: 'topUp.approve', actorUid: 'manager', status: 'approve' }])
  })
})

describe('corrections', () => {
  const correct = (id: string, uid = 'manager') =>
    it.as(uid).codeOf(contract.correctTopUp, { body: { id, reason: 'อนุมัติผิดรายการ' }, idempotencyKey: onceKey() })

  test('a wrongly approved top-up is taken back once, by a reversing entry; the history keeps both', async () => {
    const { id, no } = await save({ slipId: await slip() })
    expect(await correct(id)).toBe('CONFLICT')
    await decide(id)
    expect(await correct(id, 'staff')).toBe('FORBIDDEN')
    expect((await Promise.all([correct(id), correct(id, 'admin')])).sort()).toEqual(['CONFLICT', 'OK'])
    expect(await walletBalance(it.db, agent)).toBe(50_000)
    const { rows } = await it.as(agent).call(contract.listOwnTransactions, { query: { transactionNo: no } })
    expect(rows.map(row => row.transType).sort()).toEqual(['ถอน', 'ฝาก'].sort())
    expect(await it.as(agent).call(contract.getWallet, {})).toMatchObject({ thisMonthSatang: 0 })
  })

  test('money that was spent already can not be taken back', async () => {
    const { id } = await save({ slipId: await slip() })
    await decide(id)
    await it.db.transaction(async tx => {
      const postings = [{ from: `wallet:${walletId}`, to: 'bank:1', amountSatang: 50_001 } as const]
      const paidOut = { kind: 'correction', reason: 'จ่ายคืน', reversesId: null } as const
      await postLedger(tx, { ...paidOut, id: uuidv7(), subjectId: walletId, at: it.clock.now, postings })
    })
    expect((await detailsOf(id)).canCorrect).toBe(false)
    expect(await correct(id)).toBe('WALLET_BALANCE_TOO_LOW')
  })
})
