import { expect, test } from 'vitest'
import type { ErrorCode } from '../errors.ts'
import { beginCharge, type Charge, type ToldCharge } from '../gateway/gateway.ts'
import { entriesOf, type LedgerEntry } from './ledger.ts'
import { canCancelTopUp, canEditTopUp, type TopUp, type TopUpStatus } from './top-up.ts'
import { enterGatewayTopUp, expireTopUp, hearTopUpCharge, type TopUpChargeOutcome } from './top-up-charge.ts'

const entered = new Date('2026-11-20T07:00:00Z')
const paidAt = new Date('2026-11-20T07:05:00Z')
const now = new Date('2026-11-20T07:05:01Z')
const failure = (code: ErrorCode) => expect.objectContaining({ code })
const limits = { balanceSatang: 20_000, maxAmountSatang: 1_000_000, minTopUpSatang: 10_000, askedSatang: 0 }
const draft = {
  id: 't1',
  no: 'WT1',
  walletId: 'w1',
  ownerUid: 'agent',
  amountSatang: 50_000,
  payment: 'promptpay',
} as const
const topUp: TopUp = enterGatewayTopUp(draft, limits, 15, entered)
const due = { orderId: null, topUpId: 't1', amountSatang: 50_000, expiresAt: topUp.expiresAt! }
const ask = { id: 'c1', gateway: 'opn', method: 'promptpay', surchargeSatang: 300, isLive: true } as const
const charge: Charge = { ...beginCharge(due, ask, entered), state: 'waiting', reference: 'r1' }
const told: ToldCharge = {
  reference: 'r1',
  chargeId: 'c1',
  amountSatang: 50_300,
  currency: 'thb',
  isLive: true,
  goneBack: null,
  state: { kind: 'paid', at: paidAt, feeSatang: 888 },
}
const hear = (some: { charge?: Charge; told?: Partial<ToldCharge>; topUp?: TopUp } = {}) =>
  hearTopUpCharge(some.charge ?? charge, { ...told, ...some.told }, some.topUp ?? topUp, { id: 't2', no: 'WT2' }, now)

/** What an outcome moves on each account. */
function moved({ credits, ledger }: TopUpChargeOutcome): Record<string, number> {
  const entries: LedgerEntry[] = [credits?.ledger, ledger].flatMap(each => (each ? entriesOf(each.postings) : []))
  const sums: Record<string, number> = {}
  for (const { account, amountSatang } of entries) sums[account] = (sums[account] ?? 0) + amountSatang
  return sums
}
const nothing = { credits: null, ledger: null, isPaidNow: false }

test('what is entered waits for its payment, is edited by nobody and given up by its owner', () => {
  expect(topUp).toMatchObject({ status: 'waiting_payment', version: 1, enteredBy: 'agent', slipId: null })
  expect(topUp.expiresAt).toEqual(new Date('2026-11-20T07:15:00Z'))
  expect(canEditTopUp(topUp, 'agent')).toBe(false)
  expect(canCancelTopUp(topUp, 'agent')).toBe(true)
  expect(expireTopUp(topUp, now)).toEqual({ ...topUp, status: 'expired', version: 2, decidedAt: now })
})

test('the room on the wallet is checked before anything is asked, with what others still ask for', () => {
  const enter = (amountSatang: number, askedSatang: number) =>
    enterGatewayTopUp({ ...draft, amountSatang }, { ...limits, askedSatang }, 15, entered)
  expect(enter(980_000, 0).amountSatang).toBe(980_000)
  expect(() => enter(980_001, 0)).toThrow(failure('TOP_UP_ABOVE_ROOM'))
  expect(enter(80_000, 900_000).amountSatang).toBe(80_000)
  expect(() => enter(80_001, 900_000)).toThrow(failure('TOP_UP_ABOVE_ROOM'))
  expect(() => enter(9_999, 0)).toThrow(failure('TOP_UP_BELOW_MINIMUM'))
})

test.each(['waiting_payment', 'cancel', 'expired'] as const)(
  'money that comes when it is %s brings exactly its amount onto the wallet, by the shop itself',
  status => {
    const outcome = hear({ topUp: { ...topUp, status, version: 2, decidedBy: 'agent', reason: 'x' } })
    const approved = { ...topUp, status: 'approve', version: 3, decidedBy: null, decidedAt: now, reason: null }
    expect(outcome.credits).toMatchObject({ topUp: approved, isNew: false, ledger: { kind: 'top_up' } })
    expect(outcome.charge).toMatchObject({ state: 'paid', paidAt, feeSatang: 888, topUpId: 't1' })
    expect(moved(outcome)).toEqual({ 'wallet:w1': 50_000, fees: 300 - 888, 'gateway:opn': 888 - 50_300 })
  },
)

test('it is approved by the method that paid it', () => {
  const other = hear({ topUp: { ...topUp, payment: 'linepay' } })
  expect(other.credits?.topUp.payment).toBe('promptpay')
})

test('all of what is paid twice is a top-up of its own', () => {
  const approved: TopUp = { ...topUp, status: 'approve', version: 2, decidedAt: paidAt }
  const outcome = hear({ topUp: approved })
  expect(outcome.credits?.isNew).toBe(true)
  expect(outcome.credits?.topUp).toMatchObject({
    id: 't2',
    no: 'WT2',
    amountSatang: 50_300,
    status: 'approve',
    version: 1,
    createdAt: now,
  })
  expect(outcome.credits?.topUp.reason).toBeTruthy()
  expect(outcome.charge.topUpId).toBe('t2')
  expect(moved(outcome)).toEqual({ 'wallet:w1': 50_300, fees: -888, 'gateway:opn': 888 - 50_300 })
})

test('the same word again does nothing; a fee that comes later is posted once', () => {
  const paid = hear({ told: { state: { kind: 'paid', at: paidAt, feeSatang: null } } })
  expect(moved(paid)).toEqual({ 'wallet:w1': 50_000, fees: 300, 'gateway:opn': -50_300 })
  const approved = paid.credits!.topUp
  const later = hear({ charge: paid.charge, topUp: approved })
  expect(later).toMatchObject({ credits: null, isPaidNow: false })
  expect(moved(later)).toEqual({ fees: -888, 'gateway:opn': 888 })
  expect(hear({ charge: later.charge, topUp: approved })).toMatchObject(nothing)
})

test.each([
  { amountSatang: 50_299 },
  { currency: 'usd' },
  { isLive: false },
  { chargeId: 'c2' },
  { chargeId: null },
  { reference: 'r2' },
])('a word that differs (%o) brings nothing', change => {
  const outcome = hear({ told: change })
  expect(outcome).toMatchObject({ ...nothing, charge, mustEnd: false })
  expect(outcome.contradiction).toContain(Object.keys(change)[0])
})

test('one that waits is ended when it is no longer wanted, or its top-up waits no more', () => {
  const waiting: Partial<ToldCharge> = { state: { kind: 'waiting' } }
  expect(hear({ told: waiting }).mustEnd).toBe(false)
  expect(hear({ told: waiting, charge: { ...charge, isWanted: false } }).mustEnd).toBe(true)
  for (const status of ['cancel', 'expired', 'approve'] satisfies TopUpStatus[])
    expect(hear({ told: waiting, topUp: { ...topUp, status } })).toMatchObject({ ...nothing, mustEnd: true })
  expect(hear({ told: { state: { kind: 'failed' } } })).toMatchObject({ ...nothing, charge: { state: 'failed' } })
  // One that failed may still turn out to be paid.
  expect(hear({ charge: { ...charge, state: 'failed' } }).credits?.topUp.status).toBe('approve')
})

test('a charge is decided with its own top-up alone', () => {
  expect(() => hear({ topUp: { ...topUp, id: 't9' } })).toThrow()
})
