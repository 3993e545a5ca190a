import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { entriesOf, type LedgerTransaction } from '../wallet/ledger.ts'
import { redoOrder } from './correction.ts'
import { undoPayment } from './line-payment.ts'
import { cancelOrder, expireOrder, type Order, type OrderOutcome, placeOrder } from './order.ts'
import { sendRefund } from './refund.ts'
import { commandTo, giveCommand, STAFF_COMMAND, type StaffCommand, staffCommandsOf } from './staff-command.ts'
import {
  type Actor,
  isTerminal,
  movesOf,
  ORDER_STATUS,
  ORDER_STATUSES,
  type OrderMove,
  type OrderStatus,
  STAFF_COMMANDS,
} from './status.ts'

const now = new Date('2026-11-20T07:00:00Z')
const staff: Actor = { uid: 's1', role: 'staff' }
const otherStaff: Actor = { uid: 's2', role: 'staff' }
const manager: Actor = { uid: 'm1', role: 'manager' }
const customer: Actor = { uid: 'c1', role: 'customer' }

const sold = {
  gameId: 1,
  packageId: 2,
  playerId: '1',
  playerName: null,
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  costSatang: null,
}
const draft = {
  id: 'o',
  orderNo: 'n',
  buyerUid: 'c1',
  payment: 'bank',
  receivingAccountId: 1,
  walletId: null,
  creditId: null,
  creditSatang: 0,
} as const
const waiting = placeOrder({ ...draft, ...sold }, 15, customer, now).order
/** The two-person amount: this order is far below it. */
const LARGE = 2_000_000
const by = (actor: Actor) => ({ actor, shortSatang: 0, lapsedClaim: null })
/** The same, of whom every command that leads on from an order is taken. */
const lateBy = (actor: Actor) => ({ ...by(actor), lapsedClaim: actor.uid })

test.each<[OrderStatus, StaffCommand[]]>([
  ['waiting_payment', ['cancel', 'markPaid']],
  ['paid', ['fail', 'claim']],
  ['processing', ['fail', 'release', 'complete']],
  ['expired', ['markPaid']],
  ['failed', []],
  ['success', []],
  ['cancel', []],
  ['refunding', []],
  ['refunded', []],
])('%s offers staff %j', (status, commands) => {
  const order = { ...waiting, status, claimedBy: 's1' }
  expect(staffCommandsOf(order, staff, LARGE)).toEqual(commands)
  const refunds = ORDER_STATUS[status].moves.refund ? ['refund'] : []
  expect(staffCommandsOf(order, manager, LARGE).filter(command => command === 'refund')).toEqual(refunds)
})

test('of an expired order staff cancel a reported transfer, with a reason; nobody cancels one that was not reported', () => {
  const expired = { ...waiting, status: 'expired', endedAt: now, expireAfter: null } as const
  const reported = { ...expired, transferReportedAt: now }
  expect(staffCommandsOf(reported, staff, LARGE)).toEqual(['cancel', 'markPaid'])
  expect([give('cancel', reported, staff), give('cancel', expired, staff)]).toEqual([
    'accepted',
    'ORDER_STATUS_NOT_ALLOWED',
  ])
  expect(give('cancel', { ...reported, buyerUid: 's1' }, staff)).toBe('OWN_ORDER')
  for (const order of [reported, expired])
    expect(codeOf(() => cancelOrder(order, customer, null, now))).toBe('ORDER_STATUS_NOT_ALLOWED')
  expect(codeOf(() => cancelOrder(reported, staff, ' ', now))).toBe('REASON_REQUIRED')
  // The amount may be another order's by now, and when this one ended does not change.
  const { order, amountReusableAt } = cancelOrder(reported, staff, 'ไม่พบยอด', new Date('2026-11-21T07:00:00Z'))
  expect([order.status, order.endedAt, amountReusableAt]).toEqual(['cancel', now, undefined])
})

test('a claimed order offers nothing to other staff, everything to managers, and nothing at all to customers', () => {
  const claimed = { ...waiting, status: 'processing', claimedBy: 's1' } as const
  expect(staffCommandsOf(claimed, otherStaff, LARGE)).toEqual([])
  expect(staffCommandsOf(claimed, manager, LARGE)).toContain('complete')
  expect(staffCommandsOf({ ...waiting, status: 'paid' }, customer, LARGE)).toEqual([])
})

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'accepted'
}

const full = { reason: 'x', deliveryReference: 'REF' }
const give = (command: StaffCommand, order: Order, actor: Actor, largeAboveSatang = LARGE) =>
  codeOf(() => giveCommand(command, order, full, { ...by(actor), largeAboveSatang }, now))

test('what staff bought themselves is served by others: no button, and OWN_ORDER for every command', () => {
  for (const actor of [staff, { uid: 's1', role: 'manager' }, { uid: 's1', role: 'admin' }] as Actor[]) {
    const own = { ...waiting, buyerUid: 's1' }
    expect(staffCommandsOf(own, actor, LARGE)).toEqual([])
    expect(STAFF_COMMANDS.map(command => give(command, own, actor))).toEqual(STAFF_COMMANDS.map(() => 'OWN_ORDER'))
  }
})

test('a refund is given by managers, and so is "paid" above the two-person amount and not at it', () => {
  const paid = { ...waiting, status: 'paid', paidAt: now } as const
  expect([give('refund', paid, staff), give('refund', paid, manager)]).toEqual(['FORBIDDEN', 'accepted'])
  const amountSatang = 14_937
  expect(give('markPaid', waiting, staff, amountSatang)).toBe('accepted')
  expect(staffCommandsOf(waiting, staff, amountSatang)).toContain('markPaid')
  expect(give('markPaid', waiting, staff, amountSatang - 1)).toBe('FORBIDDEN')
  expect(staffCommandsOf(waiting, staff, amountSatang - 1)).toEqual(['cancel'])
  expect(give('markPaid', waiting, manager, amountSatang - 1)).toBe('accepted')
})

test.each<[OrderStatus, OrderStatus, StaffCommand | null]>([
  ['waiting_payment', 'paid', 'markPaid'],
  ['expired', 'paid', 'markPaid'],
  ['processing', 'paid', 'release'],
  ['paid', 'processing', 'claim'],
  ['processing', 'processing', 'claim'],
  ['success', 'paid', 'markPaid'],
  ['processing', 'success', 'complete'],
  ['paid', 'refunded', 'refund'],
  ['failed', 'refunding', 'refund'],
  ['refunding', 'refunded', 'refund'],
  ['paid', 'failed', 'fail'],
  ['waiting_payment', 'cancel', 'cancel'],
  ['expired', 'cancel', 'cancel'],
  ['waiting_payment', 'expired', null],
  ['paid', 'waiting_payment', null],
])('from %s a call for %s means %s', (from, wanted, command) => {
  expect(commandTo(wanted, from)).toBe(command)
})

test('every command asks for what its decision refuses to be without', () => {
  const reached: Partial<Record<OrderStatus, Order>> = { waiting_payment: waiting }
  for (const command of ['markPaid', 'claim'] as const) {
    const from = Object.values(reached).find(order => ORDER_STATUS[order.status].moves[command])!
    const { order } = STAFF_COMMAND[command].decide(from, full, by(staff), now)
    reached[order.status] = order
  }
  for (const command of STAFF_COMMANDS) {
    const { needs, decide } = STAFF_COMMAND[command]
    const from = Object.values(reached).find(order => ORDER_STATUS[order.status].moves[command])!
    if (needs) expect(() => decide(from, { ...full, [needs]: ' ' }, by(staff), now)).toThrow(AppError)
    expect(
      decide(from, needs ? full : { reason: null, deliveryReference: null }, lateBy(staff), now).order.status,
    ).toBe(ORDER_STATUS[from.status].moves[command])
  }
})

test('whatever staff try, in any order, states follow the table, money balances and ended orders stay ended', () => {
  const attempt = fc.record({
    command: fc.constantFrom(...STAFF_COMMANDS),
    actor: fc.constantFrom(staff, otherStaff, manager),
    reason: fc.constantFrom('เหตุผล', null),
    deliveryReference: fc.constantFrom('REF', null),
  })
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), attempts => {
      let order: Order = waiting
      let soldSatang = 0
      for (const { command, actor, ...input } of attempts) {
        let outcome: OrderOutcome
        try {
          outcome = giveCommand(command, order, input, { ...by(actor), largeAboveSatang: LARGE }, now)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          continue
        }
        expect(isTerminal(order.status)).toBe(false)
        expect(staffCommandsOf(order, actor, LARGE)).toContain(command)
        expect(outcome.order.version).toBe(order.version + 1)
        const entries = outcome.ledger ? entriesOf(outcome.ledger.postings) : []
        expect(entries.reduce((sum, entry) => sum + entry.amountSatang, 0)).toBe(0)
        soldSatang += entries.filter(e => e.account === 'sales').reduce((sum, e) => sum + e.amountSatang, 0)
        order = outcome.order
      }
      expect(soldSatang).toBe(ORDER_STATUS[order.status].money === 'held' ? 14937 : 0)
    }),
  )
})

const player = {
  playerId: '52',
  playerName: null,
  fields: [{ name: 'field1' as const, label: 'Player ID', value: '52' }],
}

/** What a move makes of an order that it is legal for. */
function moveOf(from: Order, move: OrderMove): OrderOutcome {
  if (move === 'expire') return expireOrder(from, from.expireAfter!)
  if (move === 'sendRefund') return sendRefund(from, manager, now)
  if (move === 'redo')
    return redoOrder(from, [], player, { actor: manager, mayHaveArrived: false, proposed: null, reason: 'x' }, now)
  if (move !== 'reopen' && move !== 'lapse') return STAFF_COMMAND[move].decide(from, full, lateBy(manager), now)
  const sale: LedgerTransaction = {
    id: 's',
    kind: 'order_paid',
    subjectId: from.id,
    reason: null,
    reversesId: null,
    at: now,
    postings: [{ from: 'bank:1', to: 'sales', amountSatang: 14937 }],
  }
  return undoPayment(from, sale, { actor: manager, reason: 'x', canWait: move === 'reopen' }, now)
}

/** An order in every status there is, by the shortest way of commands; `visit` sees each decision on the way. */
function walkStatuses(visit: (from: Order, outcome: OrderOutcome) => void): Order[] {
  // Reported, so that every move of the table is open to it.
  const reached: Order[] = [{ ...waiting, transferReportedAt: now }]
  for (const from of reached) {
    for (const move of movesOf(from.status)) {
      const outcome = moveOf(from, move)
      visit(from, outcome)
      if (!reached.some(({ status }) => status === outcome.order.status)) reached.push(outcome.order)
    }
  }
  return reached
}

test('every status can be reached, and each move leads to where its table says', () => {
  const seen = walkStatuses((from, { order, event }) => {
    expect(Object.values(ORDER_STATUS[from.status].moves)).toContain(order.status)
    expect([event.from, event.to]).toEqual([from.status, order.status])
  })
  expect(seen.map(({ status }) => status).toSorted()).toEqual(ORDER_STATUSES.toSorted())
})

test('money is posted when a status begins to hold it or gives it back, and at no other move', () => {
  const postedOf = {
    'none held': 'order_paid',
    'held returned': 'order_refunded',
    'held none': 'order_payment_undone',
    'none none': null,
    'held held': null,
    'returned returned': null,
  }
  walkStatuses((from, { order, ledger }) => {
    const way = `${ORDER_STATUS[from.status].money} ${ORDER_STATUS[order.status].money}`
    expect(postedOf).toHaveProperty([way], ledger?.kind ?? null)
  })
})

test('an order carries the moment of its end in the statuses that are ends, and in no other', () => {
  const seen = walkStatuses((_, { order }) => {
    expect([order.status, order.endedAt !== null]).toEqual([order.status, ORDER_STATUS[order.status].isEnded])
  })
  expect(ORDER_STATUS[seen[0]!.status].isEnded).toBe(false)
})

test('nothing more happens to what succeeded, was cancelled or given back', () => {
  expect(ORDER_STATUSES.filter(isTerminal)).toEqual(['success', 'cancel', 'refunded'])
})

test('customers read why an order was cancelled, failed or refunded, never what staff noted on a payment', () => {
  expect(ORDER_STATUSES.filter(status => ORDER_STATUS[status].tellsReason)).toEqual([
    'cancel',
    'failed',
    'refunding',
    'refunded',
  ])
})
