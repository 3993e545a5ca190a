import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { amountOf, markPaid, type Order, placeOrder, refundOrder } from '../order/order.ts'
import { ORDER_STATUS, ORDER_STATUSES, type OrderStatus } from '../order/status.ts'
import type { Role } from '../permissions.ts'
import { addSeconds } from '../time.ts'
import { entriesOf, type LedgerTransaction, type NewTransaction } from '../wallet/ledger.ts'
import { TOP_UP_STATUSES, type TopUpStatus } from '../wallet/top-up.ts'
import {
  type CreditedWallet,
  type DecidedFacts,
  decideLine,
  type LineChoice,
  type LineDecider,
  type LineOutcome,
  type MatchSubject,
  type NumberedLine,
} from './line-decision.ts'
import type { Payable } from './matching.ts'
import { LINE_STATE, LINE_STATES, LINE_STEPS, type LineState, type LineStep } from './statement.ts'

const now = new Date('2026-11-20T07:10:00Z')
const made = new Date('2026-11-20T07:00:00Z')
const LARGE = 2_000_000
const by = (uid = 'm1', role: Role = 'manager'): LineDecider => ({ actor: { uid, role }, largeAboveSatang: LARGE })

const draft = {
  ...{
    id: 'o',
    orderNo: 'KT1',
    buyerUid: 'c1',
    payment: 'bank' as const,
    receivingAccountId: 1,
    walletId: null,
    gameId: 1,
  },
  ...{ packageId: 2, playerId: '1', playerName: null, quantity: 1, priceSatang: 14900, tailSatang: 37 },
}
const waiting = placeOrder(draft, 15, { uid: 'c1', role: 'customer' }, made).order
const AMOUNT = amountOf(waiting)
const orderIn = (status: OrderStatus): Order => ({
  ...{ ...waiting, status },
  paidAt: ORDER_STATUS[status].money === 'none' ? null : now,
  endedAt: ORDER_STATUS[status].isEnded ? now : null,
})

const lineOf = (change: Partial<NumberedLine> = {}): NumberedLine => ({
  ...{ id: 'l', no: 12, receivingAccountId: 1, day: '2026-11-20', at: addSeconds(made, 120), precisionSeconds: 60 },
  ...{ amountSatang: AMOUNT, balanceSatang: null, detail: '', fromBank: null, fromAccount: null, channel: null },
  ...{ state: 'unmatched', version: 3, target: null, walletId: null, hasPaid: false },
  ...change,
})

const payableOf = (order: Order): Payable => ({
  target: { kind: 'order', id: order.id, no: order.orderNo },
  amountSatang: amountOf(order),
  receivingAccountId: order.receivingAccountId,
  status: order.status,
  createdAt: order.createdAt,
  expiresAt: order.expiresAt,
  paidAt: order.paidAt,
  endedAt: order.endedAt,
  reportedAt: order.transferReportedAt,
  ...{ lineId: null, isCorrected: false },
})

const wallet: CreditedWallet = {
  ...{ id: 'w', ownerUid: 'c1', balanceSatang: 0, maxAmountSatang: 10_000_000, receivedTodaySatang: 0 },
}
const subjectOf = (order: Order, change: Partial<MatchSubject> = {}): MatchSubject => ({
  ...{ payable: payableOf(order), order, isOwn: false, wallet, rivalNo: null },
  ...change,
})
const topUpSubject = (status: TopUpStatus, change: Partial<Payable> = {}): MatchSubject => ({
  payable: {
    ...payableOf(waiting),
    ...{ target: { kind: 'topUp', id: 'u', no: 'WT1' }, status, expiresAt: null },
    paidAt: status === 'approve' ? now : null,
    ...change,
  },
  ...{ order: null, isOwn: false, wallet, rivalNo: null },
})

type Match = Extract<LineChoice, { step: 'match' }>
const matchOf = (subject: MatchSubject, change: Partial<Match> = {}): Match => ({
  ...{ step: 'match', subject, reason: null, overpaid: null, sameAmountOrderNo: null },
  ...change,
})
const because = { reason: 'ลูกค้ายืนยัน' }
const nothing: DecidedFacts = {
  ...{ subject: null, sale: null, booked: null, wallet: null, isRefundSent: false, canWait: false },
}

const decide = (line: NumberedLine, choice: LineChoice, decider = by()) => decideLine(line, choice, decider, now)
function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}
const codeOfMatch = (line: NumberedLine, choice: Match, decider = by()) => codeOf(() => decide(line, choice, decider))

/** What an outcome moves, by account, as "bank:1 -14937, sales 14937". */
function moves({ order, ledger }: Pick<LineOutcome, 'order' | 'ledger'>): string {
  const sums = new Map<string, number>()
  const transactions = [order?.ledger, ledger].filter(each => each != null)
  for (const { account, amountSatang } of transactions.flatMap(each => entriesOf(each.postings)))
    sums.set(account, (sums.get(account) ?? 0) + amountSatang)
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .sort()
    .map(([account, sum]) => `${account} ${sum}`)
    .join(', ')
}

const choices: Record<LineStep, LineChoice> = {
  match: matchOf(subjectOf(waiting)),
  creditWallet: { step: 'creditWallet', wallet, reason: 'x' },
  oweRefund: { step: 'oweRefund', order: null, reason: 'x' },
  ignore: { step: 'ignore', reason: 'x' },
  undo: { step: 'undo', decided: nothing, reason: 'x' },
}

const EXPECTED: Record<LineState, Partial<Record<LineStep, LineState>>> = {
  unmatched: { match: 'matched', creditWallet: 'credited', oweRefund: 'owed', ignore: 'ignored' },
  matched: { undo: 'unmatched' },
  credited: { undo: 'unmatched' },
  owed: { undo: 'unmatched' },
  ignored: { undo: 'unmatched' },
  out: {},
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
    ['refunded', 'as it was', ''],
    ['cancel', 'LINE_STEP_NOT_ALLOWED', ''],
  ]
  test('every status is in the table', () =>
    expect(statuses.map(([status]) => status).sort()).toEqual(ORDER_STATUSES.toSorted()))

  test.each(statuses)('that is %s with its exact money: %s', (status, expected, moved) => {
    const choice = matchOf(subjectOf(orderIn(status)))
    if (expected === 'LINE_STEP_NOT_ALLOWED') return expect(codeOfMatch(lineOf(), choice)).toBe(expected)
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
    expect(codeOfMatch(line, matchOf(subjectOf(orderIn('refunded')), because))).toBe('LINE_STEP_NOT_ALLOWED')
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
    ['reject', 'LINE_STEP_NOT_ALLOWED'],
    ['cancel', 'LINE_STEP_NOT_ALLOWED'],
  ])('that is %s: %s', (status, expected) => {
    expect(TOP_UP_STATUSES).toContain(status)
    expect(codeOfMatch(lineOf(), matchOf(topUpSubject(status), because))).toBe(expected)
  })

  test('that waits is linked alone: its approval stays the managers’, for the amount that came', () => {
    const outcome = decide(lineOf(), matchOf(topUpSubject('waiting_approve')))
    expect([outcome.ledger, outcome.order, outcome.line.target?.no]).toEqual([null, null, 'WT1'])
    const other = lineOf({ amountSatang: AMOUNT + 100 })
    expect(codeOfMatch(other, matchOf(topUpSubject('waiting_approve'), { ...because, overpaid: 'credit' }))).toBe(
      'LINE_STEP_NOT_ALLOWED',
    )
  })

  test('that stood in suspense is explained', () => {
    const subject = topUpSubject('approve', { receivingAccountId: null })
    expect(moves(decide(lineOf(), matchOf(subject)))).toBe(`bank:1 -${AMOUNT}, suspense ${AMOUNT}`)
  })

  test('whose money was taken back takes none, and its owner decides nothing', () => {
    const corrected = topUpSubject('approve', { isCorrected: true })
    expect(codeOfMatch(lineOf(), matchOf(corrected, because))).toBe('LINE_STEP_NOT_ALLOWED')
    expect(codeOfMatch(lineOf(), matchOf({ ...topUpSubject('approve'), isOwn: true }))).toBe('TOP_UP_OWN_ENTRY')
  })
})

describe('money put on a wallet', () => {
  const credit = (change: Partial<CreditedWallet> = {}, line = lineOf(), decider = by()) =>
    decide(line, { step: 'creditWallet', wallet: { ...wallet, ...change }, reason: 'x' }, decider)

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
  const outcome = decide(lineOf(), { step: 'oweRefund', order, reason: 'ยกเลิกแล้ว' })
  expect(moves(outcome)).toBe(`bank:1 -${AMOUNT}, refunds ${AMOUNT}`)
  expect(outcome).toMatchObject({
    line: { state: 'owed', target: null },
    event: { target: { no: 'KT1' } },
    owed: { orderId: 'o', lineId: 'l', amountSatang: AMOUNT, reason: 'ยกเลิกแล้ว' },
    order: null,
  })
  const own = { ...order, isOwn: true }
  expect(codeOf(() => decide(lineOf(), { step: 'oweRefund', order: own, reason: 'x' }))).toBe('OWN_ORDER')
})

test('money that is not the shop’s moves nothing', () => {
  expect(moves(decide(lineOf(), choices.ignore))).toBe('')
})

const standing = (ledger: NewTransaction | null | undefined): LedgerTransaction | null =>
  ledger ? { ...ledger, id: 't', subjectId: 's', at: now } : null

describe('taking it back', () => {
  const undoOf = (outcome: LineOutcome, change: Partial<DecidedFacts> = {}, decider = by()) => {
    const { order } = outcome.order ?? { order: null }
    const subject = order && { order, isOwn: false }
    const facts = { sale: standing(outcome.order?.ledger), booked: standing(outcome.ledger) }
    const decided = { ...nothing, subject, ...facts, canWait: true, ...change }
    return decideLine({ ...outcome.line, no: 12 }, { step: 'undo', decided, reason: 'ผิดรายการ' }, decider, now)
  }
  const paying = () => decide(lineOf(), matchOf(subjectOf(waiting)))

  test('an order waits again while its amount is its own and its time not over, else it is expired', () => {
    const until = addSeconds(waiting.expiresAt!, 300)
    const again = undoOf(paying())
    expect(again.order).toMatchObject({
      order: { status: 'waiting_payment', paidAt: null, endedAt: null, expireAfter: until, version: 3 },
      event: { from: 'paid', to: 'waiting_payment', reason: 'ผิดรายการ' },
      ledger: { kind: 'order_payment_undone', reversesId: 't' },
      amountReusableAt: null,
    })
    expect(again.line).toMatchObject({ state: 'unmatched', target: null, hasPaid: false })
    expect(again.event).toMatchObject({ step: 'undo', target: { no: 'KT1' } })
    const over = undoOf(paying(), { canWait: false })
    expect(over.order).toMatchObject({
      order: { status: 'expired', paidAt: null, endedAt: now, expireAfter: null },
      amountReusableAt: addSeconds(now, 300),
    })
    const outcome = paying()
    const late = {
      ...outcome,
      order: { ...outcome.order!, order: { ...outcome.order!.order, expiresAt: addSeconds(now, -300) } },
    }
    expect(undoOf(late).order?.order.status).toBe('expired')
  })

  test('not once somebody works on the order or it is over', () => {
    for (const status of ORDER_STATUSES.filter(each => each !== 'paid')) {
      const subject = { order: { ...orderIn(status), claimedBy: 'm1' }, isOwn: false }
      expect([status, codeOf(() => undoOf(paying(), { subject }))]).toEqual([status, 'ORDER_STATUS_NOT_ALLOWED'])
    }
  })

  test('what staff or a slip had paid stays paid, in whatever status', () => {
    for (const status of ['paid', 'processing', 'success', 'failed', 'refunded'] as const) {
      const linked = decide(lineOf(), matchOf(subjectOf(orderIn(status))))
      const outcome = undoOf(linked, { subject: { order: orderIn(status), isOwn: false } })
      expect([outcome.order, outcome.ledger]).toEqual([null, null])
    }
  })

  test('not where less came and that was given back', () => {
    const short = lineOf({ amountSatang: 14000 })
    const linked = decide(short, matchOf(subjectOf(orderIn('paid')), because))
    const refunded = { order: orderIn('refunded'), isOwn: false }
    expect(codeOf(() => undoOf(linked, { subject: refunded }))).toBe('ORDER_STATUS_NOT_ALLOWED')
  })

  test('a credit only while it is still there, a refund only while it was not sent, nothing of one’s own', () => {
    const credited = decide(lineOf(), choices.creditWallet)
    expect(undoOf(credited, { wallet: { ...wallet, balanceSatang: AMOUNT } }).ledger).toMatchObject({
      kind: 'line_undone',
    })
    const spent = { wallet: { ...wallet, balanceSatang: AMOUNT - 1 } }
    expect(codeOf(() => undoOf(credited, spent))).toBe('WALLET_BALANCE_TOO_LOW')
    expect(codeOf(() => undoOf(credited, { wallet }, by('c1')))).toBe('TOP_UP_OWN_ENTRY')
    const owed = decide(lineOf(), choices.oweRefund)
    expect(undoOf(owed)).toMatchObject({ endsOwed: true, line: { state: 'unmatched' } })
    expect(codeOf(() => undoOf(owed, { isRefundSent: true }))).toBe('REFUND_SENT')
    const own = { order: paying().order!.order, isOwn: true }
    expect(codeOf(() => undoOf(paying(), { subject: own }))).toBe('OWN_ORDER')
  })

  test('whatever came, for whatever, on whichever account: all of it is placed once, and taking it back leaves nothing', () => {
    const cases = fc.record({
      amountSatang: fc.integer({ min: 1, max: 40_000 }),
      receivingAccountId: fc.constantFrom(1, 2),
      status: fc.constantFrom(...ORDER_STATUSES),
      overpaid: fc.constantFrom('owe', 'credit', 'keep'),
    })
    fc.assert(
      fc.property(cases, ({ amountSatang, receivingAccountId, status, overpaid }) => {
        const line = lineOf({ amountSatang, receivingAccountId })
        const order = orderIn(status)
        let outcome: LineOutcome
        try {
          outcome = decide(line, matchOf(subjectOf(order), { ...because, overpaid }))
        } catch (error) {
          expect((error as AppError).code).toBe('LINE_STEP_NOT_ALLOWED')
          return
        }
        // What staff had posted when they said it is there.
        const before = outcome.line.hasPaid ? null : markPaid(waiting, by().actor, 'x', now).ledger
        const all = [before, outcome.order?.ledger, outcome.ledger].filter(each => each != null)
        const sum = (account: string) =>
          all
            .flatMap(each => entriesOf(each.postings))
            .filter(each => each.account === account)
            .reduce((n, each) => n + each.amountSatang, 0)
        expect(sum(`bank:${receivingAccountId}`)).toBe(-amountSatang)
        if (before && receivingAccountId !== 1) expect(sum('bank:1')).toBe(0)
        expect(sum('sales')).toBe(AMOUNT)
        expect(sum('sales') + sum('refunds') + sum('wallet:w') + sum('differences')).toBe(amountSatang)
        if (!outcome.line.hasPaid || status !== 'waiting_payment') return
        const undone = undoOf(outcome, { wallet: { ...wallet, balanceSatang: 100_000 } })
        all.push(...[undone.order?.ledger, undone.ledger].filter(each => each != null))
        for (const account of ['bank:1', 'bank:2', 'sales', 'refunds', 'wallet:w', 'differences'])
          expect([account, sum(account)]).toEqual([account, 0])
      }),
    )
  })
})

test('of a transfer that was too small, what came is given back, and the loss is none any more', () => {
  const { ledger, owed } = refundOrder(orderIn('paid'), by().actor, 'คืนเงิน', now, 937)
  expect(moves({ order: null, ledger })).toBe(`differences 937, refunds 14000, sales -${AMOUNT}`)
  expect(owed).toMatchObject({ orderId: 'o', lineId: null, amountSatang: 14000 })
  expect(refundOrder(orderIn('paid'), by().actor, 'คืนเงิน', now).owed).toMatchObject({ amountSatang: AMOUNT })
})
