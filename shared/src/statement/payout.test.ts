import { expect, test } from 'vitest'
import type { LedgerTransaction } from '../wallet/ledger.ts'
import { AMOUNT, codeOf, decide, lineOf, moves, nothing, payoutOf } from './testing.ts'

const user = {
  kind: 'order' as const,
  id: 'o2',
  no: 'KT2611-00000002',
  lineNo: null,
  accountIds: null,
  amountSatang: AMOUNT,
  made: { from: new Date(0), to: new Date(0) },
  lineId: null,
  reference: null,
  isConfirmed: false,
}

test.each([
  [0, `bank:1 -${AMOUNT}, gateway:opn ${AMOUNT}`],
  [3_000, `bank:1 -${AMOUNT}, fees -3000, gateway:opn ${AMOUNT + 3_000}`],
])('a payout less a fee of %i moves what was collected to the bank, and is no income', (feeSatang, moved) => {
  const outcome = decide(lineOf(), payoutOf({ feeSatang }))
  expect(moves(outcome)).toBe(moved)
  expect(outcome).toMatchObject({
    line: { state: 'payout', target: null },
    order: null,
    owed: null,
    uses: { kind: 'line' },
  })
})

test.each([
  [AMOUNT, 0, 'accepted'],
  [AMOUNT - 1, 0, 'PAYOUT_ABOVE_HELD'],
  [AMOUNT + 3_000, 3_000, 'accepted'],
  [AMOUNT + 2_999, 3_000, 'PAYOUT_ABOVE_HELD'],
  [0, 0, 'PAYOUT_ABOVE_HELD'],
  [-1, 0, 'PAYOUT_ABOVE_HELD'],
])('of %i that are held, with a fee of %i: %s', (heldSatang, feeSatang, expected) => {
  expect(codeOf(() => decide(lineOf(), payoutOf({ heldSatang, feeSatang })))).toBe(expected)
})

test('what fits an order, or may be in the books, is booked only by who has seen that and says why', () => {
  const code = (change: Parameters<typeof payoutOf>[0]) => codeOf(() => decide(lineOf(), payoutOf(change)))
  const rivalNo = 'KT2611-00000001'
  expect(code({ rivalNo })).toBe('SAME_AMOUNT_ORDER')
  expect(code({ rivalNo, sameAmountOrderNo: 'KT2611-00000009', reason: 'x' })).toBe('SAME_AMOUNT_ORDER')
  expect(code({ rivalNo, sameAmountOrderNo: rivalNo })).toBe('REASON_REQUIRED')
  expect(code({ rivalNo, sameAmountOrderNo: rivalNo, reason: 'x' })).toBe('accepted')
  expect(code({ user })).toBe('TRANSFER_MAY_BE_USED')
  expect(code({ user, usedByNo: user.no })).toBe('REASON_REQUIRED')
  expect(code({ user, usedByNo: user.no, reason: 'x' })).toBe('accepted')
})

test('undone, the gateway holds it again, and its transfer is free', () => {
  const { ledger } = decide(lineOf(), payoutOf({ feeSatang: 3_000 }))
  const booked = { ...ledger!, id: 't1', subjectId: 'l1', at: new Date(0) } satisfies LedgerTransaction
  const choice = { step: 'undo', decided: { ...nothing, booked }, reason: 'x' } as const
  const outcome = decide(lineOf({ state: 'payout' }), choice)
  expect(moves(outcome)).toBe(`bank:1 ${AMOUNT}, fees 3000, gateway:opn -${AMOUNT + 3_000}`)
  expect(outcome).toMatchObject({
    line: { state: 'unmatched' },
    ledger: { kind: 'line_undone', reversesId: 't1' },
    frees: 'transfer',
  })
})
