import { describe, expect, test } from 'vitest'
import { refundOrder } from '../order/refund.ts'
import { ORDER_STATUSES, type OrderStatus } from '../order/status.ts'
import { addSeconds } from '../time.ts'
import { TOP_UP_STATUSES, type TopUpStatus } from '../wallet/top-up.ts'
import type { CreditedWallet } from './line-decision.ts'
import { LINE_STATE, LINE_STATES, LINE_STEPS, type LineState, type LineStep } from './statement.ts'
import {
  AMOUNT,
  because,
  by,
  choices,
  codeOf,
  codeOfMatch,
  decide,
  LARGE,
  lineOf,
  made,
  matchOf,
  moves,
  now,
  orderIn,
  subjectOf,
  topUpSubject,
  unused,
  waiting,
  wallet,
} from './testing.ts'

const EXPECTED: Record<LineState, Partial<Record<LineStep, LineState>>> = {
  unmatched: { match: 'matched', bookPayout: 'payout', creditWallet: 'credited', oweRefund: 'owed', ignore: 'ignored' },
  matched: { undo: 'unmatched' },
  credited: { undo: 'unmatched' },
  owed: { undo: 'unmatched' },
  payout: { undo: 'unmatched' },
  ignored: { undo: 'unmatched' },
  out: {},
  void: {},
}

test.each(LINE_STATES.flatMap(state => LINE_STEPS.map(step => [state, step] as const)))(
  'a line that is %s: %s',
  (state, step) => {
    const to = EXPECTED[state][step]
    expect(LINE_STATE[state].steps[step]).toBe(to)
    const line = lineOf({ state })
    const act = () => decide(line, choices[step])
    if (!to) return expect(codeOf(act)).toBe('LINE_STEP_NOT_ALLOWED')
    expect(act()).toMatchObject({
      line: { state: to, version: 4 },
      event: { step, actorUid: 'm1', at: now },
    })
  },
)

describe('an order', () => {
  const statuses: [OrderStatus, string, string][] = [
    ['waiting_payment', 'paid', `bank:1 -${AMOUNT}, sales ${AMOUNT}`],
    ['expired', 'paid', `bank:1 -${AMOUNT}, sales ${AMOUNT}`],
    ['paid', 'as it was', ''],
    ['processing', 'as it was', ''],
    ['success', 'as it was', ''],
    ['failed', 'as it was', ''],
    ['refunding', 'as it was', ''],
    ['refunded', 'as it was', ''],
    ['cancel', 'LINE_TARGET_OVER', ''],
  ]
  test('every status is in the table', () =>
    expect(statuses.map(([status]) => status).sort()).toEqual(ORDER_STATUSES.toSorted()))

  test.each(statuses)('that is %s with its exact money: %s', (status, expected, moved) => {
    const choice = matchOf(subjectOf(orderIn(status)))
    if (expected === 'LINE_TARGET_OVER') return expect(codeOfMatch(lineOf(), choice)).toBe(expected)
    const outcome = decide(lineOf(), choice)
    expect(moves(outcome)).toBe(moved)
    expect(outcome.order?.order.status ?? 'as it was').toBe(expected)
    expect(outcome.line).toMatchObject({ target: { no: 'KT1' }, hasPaid: expected === 'paid' })
  })

  test('of another account, time or amount takes a reason', () => {
    const other = [{ receivingAccountId: 2 }, { at: addSeconds(made, 86_400) }, { amountSatang: AMOUNT - 1 }]
    for (const change of other) {
      const choice = matchOf(subjectOf(waiting))
      expect(codeOfMatch(lineOf(change), choice)).toBe('REASON_REQUIRED')
      expect(codeOfMatch(lineOf(change), { ...choice, reason: ' ' })).toBe('REASON_REQUIRED')
      expect(codeOfMatch(lineOf(change), { ...choice, ...because })).toBe('accepted')
    }
  })

  test('paid too little: sales still show the price, the rest is the shop’s loss', () => {
    const line = lineOf({ amountSatang: 14000 })
    expect(moves(decide(line, matchOf(subjectOf(waiting), because)))).toBe(
      `bank:1 -14000, differences -937, sales ${AMOUNT}`,
    )
    // Staff had said that all of it is there.
    expect(moves(decide(line, matchOf(subjectOf(orderIn('processing')), because)))).toBe('bank:1 937, differences -937')
    expect(codeOfMatch(line, matchOf(subjectOf(orderIn('refunded')), because))).toBe('LINE_TARGET_AMOUNT')
  })

  test('paid on another account than staff had said: the books move it there', () => {
    const line = lineOf({ receivingAccountId: 2 })
    const outcome = decide(line, matchOf(subjectOf(orderIn('success')), because))
    expect(moves(outcome)).toBe(`bank:1 ${AMOUNT}, bank:2 -${AMOUNT}`)
  })

  test.each([
    ['owe', `bank:1 -15000, refunds 63, sales ${AMOUNT}`, { lineId: 'l', orderId: 'o', amountSatang: 63 }],
    ['credit', `bank:1 -15000, sales ${AMOUNT}, wallet:w 63`, null],
    ['keep', `bank:1 -15000, differences 63, sales ${AMOUNT}`, null],
  ] as const)('paid too much, to %s', (overpaid, moved, owed) => {
    const outcome = decide(lineOf({ amountSatang: 15000 }), matchOf(subjectOf(waiting), { ...because, overpaid }))
    expect(moves(outcome)).toBe(moved)
    expect(outcome.owed).toEqual(owed && { ...owed, ...because })
    expect(outcome.order?.ledger?.postings).toEqual([{ from: 'bank:1', to: 'sales', amountSatang: AMOUNT }])
  })

  test('paid too much: what becomes of the rest has to be said, and there has to be a wallet for it', () => {
    const line = lineOf({ amountSatang: 15000 })
    expect(codeOfMatch(line, matchOf(subjectOf(waiting), because))).toBe('OVERPAID_CHOICE_REQUIRED')
    const without = matchOf(subjectOf(waiting, { wallet: null }), { ...because, overpaid: 'credit' })
    expect(codeOfMatch(line, without)).toBe('WALLET_NOT_FOUND')
  })

  test('that has a line takes no second one', () => {
    const subject = subjectOf(orderIn('paid'))
    const taken = { ...subject, payable: { ...subject.payable, lineId: 'other' } }
    expect(codeOfMatch(lineOf(), matchOf(taken, because))).toBe('LINE_TARGET_TAKEN')
  })

  test('is passed over for another only by who has seen it', () => {
    const choice = matchOf(subjectOf(orderIn('expired'), { rivalNo: 'KT2' }), because)
    expect(codeOfMatch(lineOf(), choice)).toBe('SAME_AMOUNT_ORDER')
    expect(codeOfMatch(lineOf(), { ...choice, sameAmountOrderNo: 'KT3' })).toBe('SAME_AMOUNT_ORDER')
    expect(codeOfMatch(lineOf(), { ...choice, sameAmountOrderNo: 'KT2' })).toBe('accepted')
  })

  test('is not served by its buyer, and a large one not by who may not', () => {
    expect(codeOfMatch(lineOf(), matchOf(subjectOf(waiting, { isOwn: true })))).toBe('OWN_ORDER')
    expect(codeOfMatch(lineOf(), matchOf(subjectOf(waiting)), by('c1'))).toBe('OWN_ORDER')
    const small = { ...by('s1', 'staff'), largeAboveSatang: AMOUNT }
    expect(codeOfMatch(lineOf(), matchOf(subjectOf(waiting)), small)).toBe('accepted')
    expect(codeOfMatch(lineOf(), matchOf(subjectOf(waiting)), { ...small, largeAboveSatang: AMOUNT - 1 })).toBe(
      'FORBIDDEN',
    )
  })
})

describe('a top-up', () => {
  test.each<[TopUpStatus, string]>([
    ['waiting_approve', 'accepted'],
    ['approve', 'accepted'],
    ['reject', 'LINE_TARGET_OVER'],
    ['cancel', 'LINE_TARGET_OVER'],
  ])('that is %s: %s', (status, expected) => {
    expect(TOP_UP_STATUSES).toContain(status)
    expect(codeOfMatch(lineOf(), matchOf(topUpSubject(status), because))).toBe(expected)
  })

  test('that waits is linked alone: its approval stays the managers’, for the amount that came', () => {
    const outcome = decide(lineOf(), matchOf(topUpSubject('waiting_approve')))
    expect([outcome.ledger, outcome.order, outcome.line.target?.no]).toEqual([null, null, 'WT1'])
    const other = lineOf({ amountSatang: AMOUNT + 100 })
    expect(codeOfMatch(other, matchOf(topUpSubject('waiting_approve'), { ...because, overpaid: 'credit' }))).toBe(
      'LINE_TARGET_AMOUNT',
    )
  })

  test('that stood in suspense is explained', () => {
    const subject = topUpSubject('approve', { receivingAccountId: null })
    expect(moves(decide(lineOf(), matchOf(subject)))).toBe(`bank:1 -${AMOUNT}, suspense ${AMOUNT}`)
  })

  test('whose money was taken back takes none, and its owner decides nothing', () => {
    const corrected = topUpSubject('approve', { isCorrected: true })
    expect(codeOfMatch(lineOf(), matchOf(corrected, because))).toBe('LINE_TARGET_OVER')
    expect(codeOfMatch(lineOf(), matchOf({ ...topUpSubject('approve'), isOwn: true }))).toBe('TOP_UP_OWN_ENTRY')
  })
})

describe('money put on a wallet', () => {
  const credit = (change: Partial<CreditedWallet> = {}, line = lineOf(), decider = by()) =>
    decide(line, { step: 'creditWallet', wallet: { ...wallet, ...change }, reason: 'x', ...unused }, decider)

  test('stands there, within the wallet’s maximum', () => {
    expect(credit().line).toMatchObject({ state: 'credited', walletId: 'w', target: null })
    expect(moves(credit())).toBe(`bank:1 -${AMOUNT}, wallet:w ${AMOUNT}`)
    expect(credit({ maxAmountSatang: AMOUNT }).ledger).not.toBeNull()
    expect(codeOf(() => credit({ maxAmountSatang: AMOUNT - 1 }))).toBe('TOP_UP_ABOVE_ROOM')
  })

  test('of more than one person may give on a day is entered as a top-up; nobody credits their own', () => {
    expect(credit({ receivedTodaySatang: LARGE - AMOUNT }).ledger).not.toBeNull()
    expect(codeOf(() => credit({ receivedTodaySatang: LARGE - AMOUNT + 1 }))).toBe('CREDIT_NEEDS_TWO')
    expect(codeOf(() => credit({}, lineOf(), by('c1')))).toBe('TOP_UP_OWN_ENTRY')
  })
})

test('money to be sent back is owed, with the order it came for where one is known', () => {
  const order = { id: 'o', orderNo: 'KT1', isOwn: false }
  const outcome = decide(lineOf(), { step: 'oweRefund', order, reason: 'ยกเลิกแล้ว', ...unused })
  expect(moves(outcome)).toBe(`bank:1 -${AMOUNT}, refunds ${AMOUNT}`)
  expect(outcome).toMatchObject({
    line: { state: 'owed', target: null },
    event: { target: { no: 'KT1' } },
    owed: { orderId: 'o', lineId: 'l', amountSatang: AMOUNT, reason: 'ยกเลิกแล้ว' },
    order: null,
  })
  const own = { ...order, isOwn: true }
  expect(codeOf(() => decide(lineOf(), { step: 'oweRefund', order: own, reason: 'x', ...unused }))).toBe('OWN_ORDER')
})

test('money that is not the shop’s moves nothing', () => {
  expect(moves(decide(lineOf(), choices.ignore))).toBe('')
})

test('of a transfer that was too small, what came is given back, and the loss is none any more', () => {
  const { ledger, owed } = refundOrder(orderIn('paid'), by().actor, 'คืนเงิน', now, 937)
  expect(moves({ order: null, ledger })).toBe(`differences 937, refunds 14000, sales -${AMOUNT}`)
  expect(owed).toMatchObject({ orderId: 'o', lineId: null, amountSatang: 14000 })
  expect(refundOrder(orderIn('paid'), by().actor, 'คืนเงิน', now).owed).toMatchObject({ amountSatang: AMOUNT })
})
