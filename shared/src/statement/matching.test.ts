import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_REST_SECONDS } from '../order/order.ts'
import { addSeconds, bangkokDay } from '../time.ts'
import { fits, fitting, matchOf, type Payable, windowOf } from './matching.ts'
import type { StatementLine } from './statement.ts'

const START = new Date('2026-11-20T05:00:00.000Z')
const at = (seconds: number) => addSeconds(START, seconds)

const order = (change: Partial<Payable> & { id: string; createdAt: Date }): Payable => ({
  target: { kind: 'order', id: change.id, no: change.id },
  amountSatang: 14_907,
  receivingAccountId: 1,
  status: 'waiting_payment',
  expiresAt: addSeconds(change.createdAt, 900),
  paidAt: null,
  endedAt: null,
  reportedAt: null,
  lineId: null,
  toldAt: null,
  isCorrected: false,
  isCreditBack: false,
  ...change,
})

type Line = Pick<StatementLine, 'id' | 'day' | 'at' | 'precisionSeconds' | 'amountSatang' | 'receivingAccountId'>

const line = (moment: Date, precision: 1 | 60 | null, change: Partial<Line> = {}): Line => ({
  id: 'line',
  day: bangkokDay(moment),
  at: precision === null ? null : new Date(Math.floor(moment.getTime() / (precision * 1000)) * precision * 1000),
  precisionSeconds: precision,
  amountSatang: 14_907,
  receivingAccountId: 1,
  ...change,
})

const A = { id: 'A', createdAt: START }

describe('what a line fits', () => {
  test.each<[string, number, boolean]>([
    ['two minutes before the order', -120, true],
    ['more than that', -121, false],
    ['at the end of the grace', 1200, true],
    ['after it', 1201, false],
  ])('%s', (_, seconds, fit) => {
    expect(fits(line(at(seconds), 1), order(A))).toBe(fit)
  })

  test('a minute is as wide as it is', () => {
    expect(fits(line(at(-180), 60), order(A))).toBe(false)
    expect(fits(line(at(-150), 60), order({ ...A, createdAt: at(-1) }))).toBe(true)
  })

  test.each<[string, Partial<Payable>, number, string | null]>([
    ['paid by staff long before the transfer', { status: 'paid', paidAt: at(60) }, 361, null],
    ['paid by staff by a slip that the bank wrote down later', { status: 'paid', paidAt: at(60) }, 300, 'A'],
    ['paid by staff after it', { status: 'success', paidAt: at(60) }, 100, 'A'],
    ['refunded without a line', { status: 'refunded', paidAt: at(60), endedAt: at(600) }, 100, 'A'],
    ['expired', { status: 'expired', endedAt: at(1200) }, 1100, 'A'],
    ['cancelled', { status: 'cancel', endedAt: at(60) }, 30, null],
    ['with a line', { status: 'paid', paidAt: at(60), lineId: 'other' }, 90, null],
  ])('an order %s', (_, change, seconds, expected) => {
    expect(matchOf(line(at(seconds), 1), [order({ ...A, ...change })])?.target.id ?? null).toBe(expected)
  })

  test.each<[string, Partial<Payable>]>([
    ['cancelled', { status: 'cancel', endedAt: at(60) }],
    ['paid already', { status: 'paid', paidAt: at(60), lineId: 'other' }],
  ])('while the amount may be that of an order %s, nothing is decided', (_, change) => {
    const next = order({ id: 'B', createdAt: at(400) })
    expect(matchOf(line(at(300), 1), [order({ ...A, ...change }), next])).toBeNull()
    expect(matchOf(line(at(401), 1), [order({ ...A, ...change }), next])?.target.id).toBe('B')
  })
})

test.each<[string, Partial<Payable>]>([
  ['paid without a line', { status: 'paid', paidAt: at(60.5) }],
  ['paid by a line', { status: 'paid', paidAt: at(60.5), lineId: 'other' }],
  ['cancelled', { status: 'cancel', endedAt: at(60.5) }],
])('the first order after one %s that gets its amount is paid by its line at once', (_, change) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 900_000 }), (waitMs, payMs) => {
      const createdAt = addSeconds(START, 60.5 + AMOUNT_REST_SECONDS + waitMs / 1000)
      const next = order({ id: 'B', createdAt })
      for (const precision of [1, 60] as const) {
        const paid = line(new Date(createdAt.getTime() + payMs), precision)
        expect(matchOf(paid, [order({ ...A, ...change }), next])?.target.id).toBe('B')
      }
    }),
  )
})

describe('an order that expired, whose amount the next one has', () => {
  const late = { status: 'expired', endedAt: at(1200) } as const
  const next = order({ id: 'B', createdAt: at(1500) })
  const matched = (change: Partial<Payable>, seconds = 1600) =>
    matchOf(line(at(seconds), 1), [order({ ...A, ...late, ...change }), next])?.target.id ?? null

  test.each<[string, Partial<Payable>, number, string | null]>([
    ['nobody asks for', {}, 1600, 'B'],
    ['its buyer says to have paid late', { reportedAt: at(1550) }, 1600, null],
    ['reported in time, and nobody looked', { reportedAt: at(800) }, 1600, null],
    ['reported late and cancelled by staff', { reportedAt: at(1550), status: 'cancel' }, 1600, 'B'],
    ['reported late, and its line is there', { reportedAt: at(1550), lineId: 'x' }, 1600, 'B'],
    ['staff marked paid late, without a line', { status: 'paid', paidAt: at(1650), endedAt: null }, 1600, null],
    ['on another account', { reportedAt: at(1550), receivingAccountId: 2 }, 1600, 'B'],
    ['of another amount', { reportedAt: at(1550), amountSatang: 14_908 }, 1600, 'B'],
  ])('and that %s', (_, change, seconds, expected) => {
    expect(matched(change, seconds)).toBe(expected)
  })

  test('a report is of money that had come by then, or within the day that reports are waited for', () => {
    const reported = order({ ...A, ...late, reportedAt: at(1550) })
    const dayLater = order({ id: 'C', createdAt: at(1550 + 86_400) })
    expect(matchOf(line(at(1550 + 86_400), 1), [reported, dayLater])).toBeNull()
    expect(matchOf(line(at(1551 + 86_400), 1), [reported, dayLater])?.target.id).toBe('C')
  })
})

describe('top-ups', () => {
  const topUp = (change: Partial<Payable> & { id: string; createdAt: Date }): Payable => ({
    ...order(change),
    target: { kind: 'topUp', id: change.id, no: change.id },
    status: 'waiting_approve',
    expiresAt: null,
    ...change,
  })

  test.each<[string, Partial<Payable>, number, boolean]>([
    ['entered an hour later', {}, -3600, true],
    ['entered two days later', {}, -2 * 86_400, false],
    ['approved before', { status: 'approve', paidAt: at(60) }, 600, false],
    ['approved after', { status: 'approve', paidAt: at(600) }, 60, true],
    ['approved on no account', { status: 'approve', paidAt: at(600), receivingAccountId: null }, 60, true],
    ['of no account', { receivingAccountId: null }, 60, true],
    ['corrected', { status: 'approve', paidAt: at(600), isCorrected: true }, 60, false],
    ['rejected', { status: 'reject', endedAt: at(600) }, 60, false],
  ])('one that is %s', (_, change, seconds, isMatched) => {
    expect(matchOf(line(at(seconds), 1), [topUp({ ...A, ...change })]) !== null).toBe(isMatched)
  })

  test('of two that fit, or one beside an order, none is taken; a rejected one does not count', () => {
    expect(matchOf(line(START, 1), [topUp(A), topUp({ ...A, id: 'B' })])).toBeNull()
    expect(matchOf(line(START, 1), [topUp(A), order({ ...A, id: 'B' })])).toBeNull()
    expect(matchOf(line(START, 1), [topUp(A), topUp({ ...A, id: 'B', status: 'reject' })])?.target.id).toBe('A')
  })
})

/** Of one account and amount: orders one after the other, as the reservation of their amount makes them. */
interface Past {
  lines: (Line & { truth: string })[]
  payables: Payable[]
}

const FATES = ['waits', 'expired', 'cancelled', 'byStaff', 'twice', 'late'] as const
const orderFacts = fc.record({
  gap: fc.integer({ min: 0, max: 3 * 3600 }),
  fate: fc.constantFrom(...FATES),
  transfer: fc.double({ min: 0, max: 1, noNaN: true }),
  clock: fc.integer({ min: -90, max: 90 }),
  precision: fc.constantFrom<1 | 60 | null>(1, 60, 60, null),
  hasTopUp: fc.integer({ min: 0, max: 4 }).map(n => n === 0),
})

/**
 * What happened, told by what each line really was the money of. Who pays late does so before the amount is the next
 * order's; `lateIsReported`: whenever they like, and says so.
 */
function past(
  facts: readonly (typeof orderFacts extends fc.Arbitrary<infer T> ? T : never)[],
  lateIsReported = false,
): Past {
  const made: Past = { lines: [], payables: [] }
  let free = 0
  for (const [n, { gap, fate, transfer, clock, precision, hasTopUp }] of facts.entries()) {
    const created = free + gap
    const id = `order ${n}`
    const paidAfter = Math.round(transfer * 900) + (fate === 'late' ? 1500 : 0)
    const pay = (seconds: number, nth = 0) => {
      const told = line(at(seconds + clock), precision, { id: `${id} line ${nth}` })
      made.lines.push({ ...told, truth: id })
    }
    const ended = { waits: null, expired: 1200, late: 1200, cancelled: paidAfter + 30, byStaff: null, twice: null }[
      fate
    ]
    const paidAt = fate === 'byStaff' ? at(created + paidAfter + 60) : null
    const status = {
      waits: 'waiting_payment',
      expired: 'expired',
      late: 'expired',
      cancelled: 'cancel',
      byStaff: 'paid',
      twice: 'waiting_payment',
    } as const
    made.payables.push(
      order({
        id,
        createdAt: at(created),
        status: status[fate],
        paidAt,
        endedAt: ended === null ? null : at(created + ended),
        reportedAt: lateIsReported && fate === 'late' ? at(created + paidAfter + 60) : null,
      }),
    )
    pay(created + paidAfter)
    if (fate === 'twice') pay(created + paidAfter + 100, 1)
    if (hasTopUp)
      made.payables.push({
        ...order({ id: `top-up ${n}`, createdAt: at(created) }),
        target: { kind: 'topUp', id: `top-up ${n}`, no: '' },
        status: 'waiting_approve',
        expiresAt: null,
      })
    // Money that comes after its amount was given to the next order is told from that order's by its buyer's word alone.
    const late = fate === 'late' && !lateIsReported ? paidAfter : 0
    free = late + created + (paidAt ? paidAfter + 60 : (ended ?? 1200)) + 300
  }
  return made
}

/** The job: batches in some order, each oldest first. */
function run({ lines, payables }: Past, batches: readonly (readonly Line[])[]): Map<string, string> {
  const lineOf = new Map<string, string>()
  const found = new Map<string, string>()
  for (const each of batches.flatMap(batch => [...batch].sort((a, b) => Number(a.at) - Number(b.at)))) {
    const now = payables.map(payable => ({ ...payable, lineId: lineOf.get(payable.target.id) ?? payable.lineId }))
    const match = matchOf(each, now)
    if (match) lineOf.set(match.target.id, each.id)
    if (match) found.set(each.id, match.target.id)
  }
  expect(lines.length).toBeGreaterThan(0)
  return found
}

describe('1,000 pasts', () => {
  const facts = fc.array(orderFacts, { minLength: 1, maxLength: 8 })

  test('no match is wrong, and none that was the only possible one is missed', () => {
    fc.assert(
      fc.property(facts, given => {
        const made = past(given)
        const found = run(made, [made.lines])
        for (const each of made.lines) {
          const match = found.get(each.id)
          const [only, ...others] = fitting(each, made.payables)
          // A top-up is linked, its money moves when people approve it.
          if (match?.startsWith('order')) expect(match).toBe(each.truth)
          else if (match) expect(others).toEqual([])
          const isFree = only && others.length === 0 && only.status !== 'cancel'
          const isFirst = made.lines.every(other => other === each || found.get(other.id) !== only?.target.id)
          if (isFree && isFirst) expect(match).toBe(only.target.id)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('money that came late, when its amount was the next order’s, is not taken for that while its buyer says so', () => {
    fc.assert(
      fc.property(facts, given => {
        const made = past(given, true)
        const found = run(made, [made.lines])
        for (const each of made.lines) {
          const match = found.get(each.id)
          if (match?.startsWith('order')) expect(match).toBe(each.truth)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('what is paid does not depend on the order of the batches', () => {
    fc.assert(
      fc.property(
        facts,
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 16, maxLength: 16 }),
        (given, places) => {
          const made = past(given)
          const batches = [0, 1, 2, 3].map(place => made.lines.filter((_, n) => places[n % 16] === place))
          const paid = (found: Map<string, string>) => [...found.values()].sort()
          expect(paid(run(made, batches))).toEqual(paid(run(made, [made.lines])))
          expect(paid(run(made, batches.toReversed()))).toEqual(paid(run(made, [made.lines])))
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('a window ends before the next order of its amount is made', () => {
    fc.assert(
      fc.property(facts, given => {
        const orders = past(given).payables.filter(({ target }) => target.kind === 'order')
        for (const [n, next] of orders.entries()) {
          const before = orders[n - 1]
          if (before) expect(windowOf(before).to.getTime()).toBeLessThanOrEqual(next.createdAt.getTime())
        }
      }),
      { numRuns: 1000 },
    )
  })
})
