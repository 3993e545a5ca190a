import { describe, expect, test } from 'vitest'
import { LINE_STATES } from './statement.ts'
import { takeBackOf, voidLine } from './take-back.ts'
import { lineOf, now } from './testing.ts'
import type { UndoFacts } from './undo-barrier.ts'

const nothing: UndoFacts = { order: null, wallet: null, isRefundSent: false, isTopUpOnWallet: false }
const kindOf = (change: Parameters<typeof lineOf>[0], facts: Partial<UndoFacts> = {}) =>
  takeBackOf(lineOf(change), { ...nothing, ...facts }).kind

describe('taking a line back', () => {
  test('what led to nothing is voided, what led to something is undone', () => {
    expect(Object.fromEntries(LINE_STATES.map(state => [state, kindOf({ state })]))).toEqual({
      unmatched: 'void',
      ignored: 'void',
      out: 'void',
      void: 'void',
      matched: 'undo',
      credited: 'undo',
      owed: 'undo',
      payout: 'undo',
    })
  })

  test.each<[string, Parameters<typeof lineOf>[0], Partial<UndoFacts>]>([
    [
      'goods that were delivered',
      { state: 'matched', hasPaid: true },
      { order: { status: 'success', amountSatang: 1 } },
    ],
    ['a wallet that was spent', { state: 'credited' }, { wallet: { creditedSatang: 5, balanceSatang: 4 } }],
    ['a refund that was sent', { state: 'owed' }, { isRefundSent: true }],
    ['a top-up that people approved', { state: 'matched' }, { isTopUpOnWallet: true }],
  ])('%s: somebody has to settle it, and is told why', (_, change, facts) => {
    expect(takeBackOf(lineOf(change), { ...nothing, ...facts })).toEqual({ kind: 'stuck', why: expect.any(String) })
  })

  test('a voided line is of nothing, and nothing may be decided about it', () => {
    const { line, event } = voidLine(lineOf({ walletId: 'w' }), { actorUid: 'a1', reason: 'คีย์รั่ว', now })
    expect(line).toMatchObject({ state: 'void', version: 4, target: null, walletId: null, hasPaid: false })
    expect(event).toEqual({ step: 'void', target: null, actorUid: 'a1', reason: 'คีย์รั่ว', at: now })
  })
})
