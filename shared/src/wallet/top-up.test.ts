import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ErrorCode } from '../errors.ts'
import { entriesOf, type LedgerTransaction } from './ledger.ts'
import {
  type Approver,
  approvalBarrier,
  approveTopUp,
  canCancelTopUp,
  canCorrectTopUp,
  cancelTopUp,
  canEditTopUp,
  checkTopUpAmount,
  correctTopUp,
  editTopUp,
  enterTopUp,
  needsTwoApprovers,
  rejectTopUp,
  roomOf,
  TOP_UP_STATUSES,
  type TopUp,
} from './top-up.ts'

const entered = new Date('2026-11-20T07:00:00Z')
const now = new Date('2026-11-20T08:00:00Z')
const limits = { balanceSatang: 20_000, maxAmountSatang: 1_000_000, minTopUpSatang: 50_000 }

const topUp = (change: Partial<TopUp> = {}): TopUp => ({
  id: 'id',
  no: 'TU1',
  walletId: 'w1',
  ownerUid: 'owner',
  amountSatang: 100_000,
  payment: 'bank',
  status: 'waiting_approve',
  version: 3,
  slipId: 'slip',
  receivingAccountId: 7,
  expiresAt: null,
  enteredBy: 'clerk',
  firstApprovedBy: null,
  decidedBy: null,
  decidedAt: null,
  reason: null,
  correctedAt: null,
  createdAt: entered,
  ...change,
})
const decided = TOP_UP_STATUSES.filter(status => status !== 'waiting_approve')
const failure = (code: ErrorCode, rest: object = {}) => expect.objectContaining({ code, ...rest })

const approver = (uid: string, change: Partial<Approver> = {}): Approver => ({
  uid,
  twoApproversAboveSatang: 500_000,
  receivedTodaySatang: 0,
  recentlyReset: [],
  lineAccountId: null,
  ...change,
})
const approve = (
  from: TopUp,
  uid = 'manager',
  { receivingAccountId = null as number | null, reason = null as string | null, ...change } = {} as Partial<
    Approver & { receivingAccountId: number; reason: string }
  >,
) => approveTopUp(from, limits, approver(uid, change), { reason, receivingAccountId, toldAt: null }, now)

test('a top-up from the minimum up to exactly the room fits; one satang beyond either is refused with the figure', () => {
  expect(() => checkTopUpAmount(50_000, limits)).not.toThrow()
  expect(() => checkTopUpAmount(980_000, limits)).not.toThrow()
  expect(() => checkTopUpAmount(980_001, limits)).toThrow(
    failure('TOP_UP_ABOVE_ROOM', { message: 'คุณสามารถเติมเงินได้สูงสุด 9,800 บาท' }),
  )
  expect(() => checkTopUpAmount(49_999, limits)).toThrow(
    failure('TOP_UP_BELOW_MINIMUM', { message: 'คุณสามารถเติมเงินได้ต่ำสุด 500 บาท' }),
  )
})

test('without a minimum a top-up is still at least one satang', () => {
  const free = { ...limits, minTopUpSatang: 0 }
  expect(() => checkTopUpAmount(1, free)).not.toThrow()
  expect(() => checkTopUpAmount(0, free)).toThrow(failure('TOP_UP_BELOW_MINIMUM'))
})

test('a wallet above its maximum has no room, never less than none', () => {
  expect(roomOf({ balanceSatang: 1_200_000, maxAmountSatang: 1_000_000 })).toBe(0)
  expect(roomOf(limits)).toBe(980_000)
})

const draft = {
  id: 'id',
  no: 'TU1',
  walletId: 'w1',
  ownerUid: 'owner',
  enteredBy: 'clerk',
  amountSatang: 60_000,
  slipId: null,
  receivingAccountId: null,
}

test('what is entered waits: nobody has approved, decided or corrected it', () => {
  expect(enterTopUp(draft, limits, now)).toEqual({
    ...draft,
    payment: 'bank',
    status: 'waiting_approve',
    version: 1,
    expiresAt: null,
    firstApprovedBy: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    correctedAt: null,
    createdAt: now,
  })
  expect(() => enterTopUp({ ...draft, amountSatang: 49_999 }, limits, now)).toThrow(failure('TOP_UP_BELOW_MINIMUM'))
})

const request = { amountSatang: 70_000, slipId: 'other', receivingAccountId: 9 }

test('an edit takes back the first of two approvals and is a new version', () => {
  expect(editTopUp(topUp({ firstApprovedBy: 'manager' }), request, limits, 'clerk')).toEqual(
    topUp({ ...request, version: 4, firstApprovedBy: null }),
  )
})

test('only who entered a request edits it, only while it waits, and only within the limits', () => {
  expect(canEditTopUp(topUp(), 'clerk')).toBe(true)
  for (const uid of ['owner', 'manager', null]) expect(canEditTopUp(topUp(), uid)).toBe(false)
  expect(() => editTopUp(topUp(), request, limits, 'owner')).toThrow(failure('NOT_FOUND'))
  for (const status of decided) {
    expect(canEditTopUp(topUp({ status }), 'clerk')).toBe(false)
    expect(() => editTopUp(topUp({ status }), request, limits, 'clerk')).toThrow(
      failure('TOP_UP_NOT_WAITING', { details: { status } }),
    )
  }
  expect(() => editTopUp(topUp(), { ...request, amountSatang: 980_001 }, limits, 'clerk')).toThrow(
    failure('TOP_UP_ABOVE_ROOM'),
  )
})

test('the owner of the wallet and who entered the request take it back while it waits, nobody else', () => {
  for (const uid of ['owner', 'clerk']) {
    expect(canCancelTopUp(topUp(), uid)).toBe(true)
    expect(cancelTopUp(topUp(), uid, now)).toEqual(
      topUp({ status: 'cancel', version: 4, decidedBy: uid, decidedAt: now }),
    )
  }
  for (const uid of ['manager', null]) expect(canCancelTopUp(topUp(), uid)).toBe(false)
  expect(() => cancelTopUp(topUp(), 'manager', now)).toThrow(failure('NOT_FOUND'))
  expect(cancelTopUp(topUp({ status: 'waiting_payment' }), 'owner', now).status).toBe('cancel')
  for (const status of decided.filter(each => each !== 'waiting_payment')) {
    expect(canCancelTopUp(topUp({ status }), 'owner')).toBe(false)
    expect(() => cancelTopUp(topUp({ status }), 'owner', now)).toThrow(failure('TOP_UP_NOT_WAITING'))
  }
})

test('a rejection says why and is kept with who and when', () => {
  expect(rejectTopUp(topUp(), 'manager', ' blurred slip ', now)).toEqual(
    topUp({ status: 'reject', version: 4, decidedBy: 'manager', decidedAt: now, reason: 'blurred slip' }),
  )
  for (const reason of [null, '', '  '])
    expect(() => rejectTopUp(topUp(), 'manager', reason, now)).toThrow(failure('REASON_REQUIRED'))
  for (const status of decided)
    expect(() => rejectTopUp(topUp({ status }), 'manager', 'late', now)).toThrow(failure('TOP_UP_NOT_WAITING'))
})

test('nobody approves what they entered, nor money for their own wallet', () => {
  for (const uid of ['clerk', 'owner']) {
    expect(approvalBarrier(topUp(), approver(uid))).toBe('TOP_UP_OWN_ENTRY')
    expect(() => approve(topUp(), uid)).toThrow(failure('TOP_UP_OWN_ENTRY'))
  }
})

test('only a waiting request with a slip is approved', () => {
  for (const status of decided)
    expect(() => approve(topUp({ status }))).toThrow(failure('TOP_UP_NOT_WAITING', { details: { status } }))
  expect(() => approve(topUp({ slipId: null }))).toThrow(failure('TOP_UP_NEEDS_SLIP'))
  expect(approvalBarrier(topUp(), approver('manager'))).toBeNull()
})

test('an approval moves exactly the amount, from the bank account that got it to the wallet', () => {
  const { topUp: approved, ledger } = approve(topUp(), 'manager', { reason: ' seen ' })
  expect(approved).toEqual(
    topUp({ status: 'approve', version: 4, decidedBy: 'manager', decidedAt: now, reason: 'seen' }),
  )
  expect(ledger).toEqual({
    kind: 'top_up',
    postings: [{ from: 'bank:7', to: 'wallet:w1', amountSatang: 100_000 }],
    reason: 'seen',
    reversesId: null,
  })
})

test('the approver may say which account got the money; unnamed money stands in suspense', () => {
  const named = approve(topUp(), 'manager', { receivingAccountId: 8 })
  expect(named.topUp.receivingAccountId).toBe(8)
  expect(named.ledger?.postings[0]?.from).toBe('bank:8')
  const unnamed = approve(topUp({ receivingAccountId: null }), 'manager', { reason: '  ' })
  expect(unnamed.ledger).toMatchObject({ postings: [{ from: 'suspense' }], reason: null })
})

test('room is looked at again: a wallet that filled up meanwhile refuses the approval, a smaller minimum does not', () => {
  expect(() => approve(topUp({ amountSatang: 980_001 }), 'manager', { twoApproversAboveSatang: 2_000_000 })).toThrow(
    failure('TOP_UP_ABOVE_ROOM'),
  )
  expect(approve(topUp({ amountSatang: 100 })).ledger).not.toBeNull()
})

test('above the set amount, and not at it, money moves with the second approver only', () => {
  expect(needsTwoApprovers({ amountSatang: 500_000 }, approver('manager'))).toBe(false)
  expect(approve(topUp({ amountSatang: 500_000 })).ledger).not.toBeNull()
  const large = topUp({ amountSatang: 500_001, receivingAccountId: null })
  const first = approve(large, 'manager', { receivingAccountId: 8 })
  expect(first.ledger).toBeNull()
  expect(first.topUp).toEqual({ ...large, receivingAccountId: 8, version: 4, firstApprovedBy: 'manager' })
  expect(approvalBarrier(first.topUp, approver('manager'))).toBe('TOP_UP_NEEDS_SECOND_APPROVER')
  expect(() => approve(first.topUp, 'manager')).toThrow(failure('TOP_UP_NEEDS_SECOND_APPROVER'))
  const second = approve(first.topUp, 'manager2')
  expect(second.topUp).toMatchObject({ status: 'approve', version: 5, decidedBy: 'manager2' })
  expect(second.ledger?.postings).toEqual([{ from: 'bank:8', to: 'wallet:w1', amountSatang: 500_001 }])
})

test('what a wallet received on the day counts: a large amount can not be approved in small parts', () => {
  const after = (receivedTodaySatang: number) => approve(topUp(), 'manager', { receivedTodaySatang })
  expect(after(400_000).topUp.status).toBe('approve')
  expect(after(400_001).topUp).toMatchObject({ status: 'waiting_approve', firstApprovedBy: 'manager' })
})

test('another receiving account is another statement: the first approval lapses, and its giver may give it again', () => {
  const large = topUp({ amountSatang: 500_001, firstApprovedBy: 'manager' })
  for (const uid of ['manager', 'manager2']) {
    const moved = approve(large, uid, { receivingAccountId: 8 })
    expect(moved.ledger).toBeNull()
    expect(moved.topUp).toMatchObject({ receivingAccountId: 8, firstApprovedBy: uid, status: 'waiting_approve' })
  }
  expect(approve(large, 'manager2', { receivingAccountId: 7 }).topUp.status).toBe('approve')
})

test('nobody approves money of an account whose secrets they have just set, nor what it entered or first approved', () => {
  expect(() => approve(topUp(), 'manager', { recentlyReset: [topUp().ownerUid] })).toThrow(
    failure('TOP_UP_RECENT_RESET'),
  )
  expect(() => approve(topUp(), 'manager', { recentlyReset: ['clerk'] })).toThrow(failure('TOP_UP_RECENT_RESET'))
  const large = topUp({ amountSatang: 500_001, firstApprovedBy: 'manager' })
  expect(() => approve(large, 'manager2', { recentlyReset: ['manager'] })).toThrow(failure('TOP_UP_RECENT_RESET'))
  expect(approve(large, 'manager2', { recentlyReset: ['somebody'] }).topUp.status).toBe('approve')
})

test('a limit raised after the first approval lets the same person finish', () => {
  const { topUp: finished } = approve(topUp({ firstApprovedBy: 'manager' }), 'manager')
  expect(finished.status).toBe('approve')
})

test('an approved top-up leaves the books balanced, whatever its amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 980_000 }), amountSatang => {
      const { ledger } = approve(topUp({ amountSatang }), 'manager', { twoApproversAboveSatang: 1_000_000 })
      expect(entriesOf(ledger!.postings)).toContainEqual({ account: 'wallet:w1', amountSatang })
    }),
  )
})

const approved = topUp({ status: 'approve', decidedBy: 'manager', decidedAt: now })
const posted: LedgerTransaction = {
  id: 'posted',
  kind: 'top_up',
  subjectId: 'id',
  postings: [{ from: 'bank:7', to: 'wallet:w1', amountSatang: 100_000 }],
  reason: null,
  reversesId: null,
  at: now,
}
const correct = (from: TopUp, balanceSatang = 100_000, uid = 'admin') =>
  correctTopUp(from, posted, balanceSatang, { uid, reason: 'wrong slip' }, now)

test('a correction takes back the whole amount, once, and keeps reason and moment', () => {
  const { topUp: corrected, ledger } = correct(approved)
  expect(corrected).toEqual({ ...approved, version: 4, correctedAt: now, reason: 'wrong slip' })
  expect(ledger).toEqual({
    kind: 'correction',
    postings: [{ from: 'wallet:w1', to: 'bank:7', amountSatang: 100_000 }],
    reason: 'wrong slip',
    reversesId: 'posted',
  })
  expect(canCorrectTopUp(corrected, 'admin')).toBe(false)
  expect(() => correct(corrected)).toThrow(failure('CONFLICT'))
})

test('only what was approved can be corrected, not by the owner, and not once the money is spent', () => {
  expect(canCorrectTopUp(approved, 'admin')).toBe(true)
  for (const status of TOP_UP_STATUSES.filter(status => status !== 'approve')) {
    expect(canCorrectTopUp(topUp({ status }), 'admin')).toBe(false)
    expect(() => correct(topUp({ status }))).toThrow(failure('CONFLICT'))
  }
  expect(canCorrectTopUp(approved, 'owner')).toBe(false)
  const byGateway = topUp({ ...approved, payment: 'promptpay' })
  expect(canCorrectTopUp(byGateway, 'admin')).toBe(false)
  expect(() => correct(byGateway)).toThrow(failure('TOP_UP_GATEWAY'))
  expect(() => correct(approved, 100_000, 'owner')).toThrow(failure('TOP_UP_OWN_ENTRY'))
  expect(() => correct(approved, 99_999)).toThrow(failure('WALLET_BALANCE_TOO_LOW'))
})
