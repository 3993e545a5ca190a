import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppError } from '../errors.ts'
import { markPaid } from '../order/order.ts'
import { ORDER_STATUSES } from '../order/status.ts'
import { addSeconds } from '../time.ts'
import { entriesOf, type LedgerTransaction, type NewTransaction } from '../wallet/ledger.ts'
import { type DecidedFacts, decideLine, type LineOutcome } from './line-decision.ts'
import {
  AMOUNT,
  because,
  by,
  choices,
  codeOf,
  decide,
  lineOf,
  matchOf,
  nothing,
  now,
  orderIn,
  subjectOf,
  waiting,
  wallet,
} from './testing.ts'
import { type UndoFacts, undoBarrier } from './undo-barrier.ts'

const standing = (ledger: NewTransaction | null | undefined): LedgerTransaction | null =>
  ledger ? { ...ledger, id: 't', subjectId: 's', at: now } : null

describe('taking it back', () => {
  const undoOf = (outcome: LineOutcome, change: Partial<DecidedFacts> = {}, decider = by()) => {
    const { order } = outcome.order ?? { order: null }
    const subject = order && { order, isOwn: false, isBooked: true }
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
      amountReusableAt: addSeconds(now, 360),
    })
    const outcome = paying()
    const late = {
      ...outcome,
      order: { ...outcome.order!, order: { ...outcome.order!.order, expiresAt: addSeconds(now, -300) } },
    }
    expect(undoOf(late).order?.order.status).toBe('expired')
  })

  test('a reported order waits as long as its report does', () => {
    const reportedAt = addSeconds(now, -3600)
    const reported = { ...waiting, expiresAt: addSeconds(now, -3000), transferReportedAt: reportedAt }
    const outcome = decide(lineOf(), matchOf(subjectOf(reported), because))
    expect(undoOf(outcome).order?.order).toMatchObject({
      status: 'waiting_payment',
      expireAfter: addSeconds(reportedAt, 24 * 3600),
    })
  })

  test('not once somebody works on the order or it is over', () => {
    for (const status of ORDER_STATUSES.filter(each => each !== 'paid')) {
      const subject = { order: { ...orderIn(status), claimedBy: 'm1' }, isOwn: false, isBooked: true }
      expect([status, codeOf(() => undoOf(paying(), { subject }))]).toEqual([status, 'ORDER_STATUS_NOT_ALLOWED'])
    }
  })

  test('what staff or a slip had paid stays paid, in whatever status', () => {
    for (const status of ['paid', 'processing', 'success', 'failed', 'refunded'] as const) {
      const linked = decide(lineOf(), matchOf(subjectOf(orderIn(status))))
      const outcome = undoOf(linked, { subject: { order: orderIn(status), isOwn: false, isBooked: true } })
      expect([outcome.order, outcome.ledger]).toEqual([null, null])
    }
  })

  test('not where less came and that was given back', () => {
    const short = lineOf({ amountSatang: 14000 })
    const linked = decide(short, matchOf(subjectOf(orderIn('paid')), because))
    const refunded = { order: orderIn('refunded'), isOwn: false, isBooked: true }
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
    const own = { order: paying().order!.order, isOwn: true, isBooked: true }
    expect(codeOf(() => undoOf(paying(), { subject: own }))).toBe('OWN_ORDER')
  })

  test('why nobody can is told beforehand, and just where it is so', () => {
    const barrierOf = (outcome: LineOutcome, change: Partial<UndoFacts> = {}) =>
      undoBarrier(outcome.line, { order: null, wallet: null, isRefundSent: false, isTopUpOnWallet: false, ...change })
    for (const status of ORDER_STATUSES) {
      const order = orderIn(status)
      const barrier = barrierOf(paying(), { order: { status, amountSatang: AMOUNT } })
      const code = codeOf(() =>
        undoOf(paying(), { subject: { order: { ...order, claimedBy: 'm1' }, isOwn: false, isBooked: true } }),
      )
      expect([status, barrier === null]).toEqual([status, code === 'accepted'])
    }
    expect(barrierOf(paying(), { order: { status: 'success', amountSatang: AMOUNT } })).toBe(
      'เติมสำเร็จแล้ว ยกเลิกการจับคู่ไม่ได้',
    )
    const linked = decide(lineOf(), matchOf(subjectOf(orderIn('success'))))
    expect(barrierOf(linked, { order: { status: 'success', amountSatang: AMOUNT } })).toBeNull()
    const short = decide(lineOf({ amountSatang: 14000 }), matchOf(subjectOf(orderIn('paid')), because))
    expect(barrierOf(short, { order: { status: 'refunded', amountSatang: AMOUNT } })).toMatch(/^คืนเงิน/)
    const credited = decide(lineOf(), choices.creditWallet)
    const onWallet = (balanceSatang: number) => ({ wallet: { creditedSatang: AMOUNT, balanceSatang } })
    expect(barrierOf(credited, onWallet(AMOUNT))).toBeNull()
    expect(barrierOf(credited, onWallet(AMOUNT - 1))).toMatch(/ถูกใช้ไปแล้ว/)
    expect(barrierOf(decide(lineOf(), choices.oweRefund), { isRefundSent: true })).toMatch(/คืนลูกค้าแล้ว/)
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
          expect((error as AppError).code).toMatch(/^LINE_TARGET_(OVER|AMOUNT)$/)
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
