import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { markPaid, type Order, transferWindow } from '../order/order.ts'
import { SYSTEM } from '../order/status.ts'
import { isApproved, judge, type Rival } from '../slipcheck/verdict.ts'
import { addSeconds, bangkokDay } from '../time.ts'
import {
  mayBeSame,
  periodFor,
  type TransferFacts,
  type TransferUse,
  type UsedTransfer,
  usedTransferText,
} from '../transfer/transfer.ts'
import { approveTopUp, enterTopUp, type TopUp, transferOf } from '../wallet/top-up.ts'
import { decideLine, type LineOutcome, matchByItself, type NumberedLine } from './line-decision.ts'
import { factsOfLine, matchOf, type Payable } from './matching.ts'
import { AMOUNT, by, lineOf, made, nothing, waiting, wallet } from './testing.ts'

/** A transfer that a payer really made; a drawn one nobody made. */
interface Made {
  reference: string
  at: Date
  amountSatang: number
  isDrawn: boolean
}
/** Something to be paid, with the slip that was handed in for it. */
interface Wanted {
  order: Order | null
  topUp: TopUp | null
  slip: Made | null
  toldAt: Date | null
}

const limits = { balanceSatang: 0, maxAmountSatang: 100_000_000, minTopUpSatang: 1 }
const account = { bankCode: '004', accountNo: '1234567890', promptPayId: null, names: ['บจก. คราม เติมเกม'] }

/**
 * The shop as its pure decisions make it: what people and banks do comes in any order, and all share one amount on one
 * account. `take` decides who gets the money; what it may not have is refused.
 */
class Model {
  now = made
  readonly transfers: Made[] = []
  readonly wanted = new Map<string, Wanted>()
  readonly lines = new Map<string, NumberedLine>()
  readonly used = new Map<string, UsedTransfer>()
  #next = 0

  name = (kind: string) => `${kind}${++this.#next}`

  pay(isDrawn: boolean): void {
    this.transfers.push({ reference: this.name('ref'), at: this.now, amountSatang: AMOUNT, isDrawn })
  }

  /** An order has the amount for itself, and for five minutes after it was paid. */
  want(kind: 'order' | 'topUp', slip: Made | null): void {
    const free = (order: Order | null) => !order || (order.paidAt && addSeconds(order.paidAt, 300) <= this.now)
    if (kind === 'order' && ![...this.wanted.values()].every(({ order }) => free(order))) return
    const id = this.name(kind)
    const slipId = slip && id
    const order = { ...waiting, id, orderNo: id, createdAt: this.now, expiresAt: addSeconds(this.now, 900), slipId }
    const draft = { id, no: id, walletId: 'w', ownerUid: 'c1', enteredBy: 'c1', amountSatang: AMOUNT, slipId }
    const topUp = kind === 'topUp' ? enterTopUp({ ...draft, receivingAccountId: 1 }, limits, this.now) : null
    this.wanted.set(id, { order: topUp ? null : order, topUp, slip, toldAt: null })
  }

  /** The bank writes a transfer down, to the minute, two minutes early to ten late. */
  write({ at, amountSatang }: Made, offSeconds: number): void {
    const id = this.name('line')
    const told = new Date(Math.floor(addSeconds(at, offSeconds).getTime() / 60_000) * 60_000)
    this.lines.set(id, lineOf({ id, no: this.#next, at: told, day: bangkokDay(told), amountSatang }))
  }

  #lineOf = (id: string) => [...this.lines.values()].find(({ target }) => target?.id === id) ?? null

  #payable(id: string, { order, topUp, toldAt }: Wanted): Payable {
    const paidAt = order ? order.paidAt : topUp!.status === 'approve' ? topUp!.decidedAt : null
    return {
      target: { kind: order ? 'order' : 'topUp', id, no: id },
      amountSatang: AMOUNT,
      receivingAccountId: 1,
      status: (order ?? topUp)!.status,
      paidAt,
      toldAt,
      createdAt: (order ?? topUp)!.createdAt,
      expiresAt: order?.expiresAt ?? null,
      endedAt: null,
      reportedAt: null,
      lineId: this.#lineOf(id)?.id ?? null,
      isCreditBack: false,
      isCorrected: topUp?.correctedAt != null,
    }
  }

  usersOf = (facts: TransferFacts, subjectId: string | null): UsedTransfer[] =>
    [...this.used.values()].filter(user => user.id !== subjectId && mayBeSame(facts, user))

  #use(use: TransferUse | undefined | null): void {
    if (!use) return
    const slip = use.slipId ? (this.wanted.get(use.subjectId)?.slip ?? null) : null
    const isOthers = [...this.used.values()].some(
      ({ id, reference }) => slip && reference === slip.reference && id !== use.subjectId,
    )
    const before = this.used.get(use.subjectId)
    const reference = slip && !isOthers ? slip.reference : (before?.reference ?? null)
    const toldAt = reference ? use.toldAt : null
    const line = use.lineId ? this.lines.get(use.lineId)! : null
    const known = line ?? (before?.lineId ? this.lines.get(before.lineId)! : null)
    const point = toldAt && { from: toldAt, to: toldAt }
    this.used.set(use.subjectId, {
      kind: use.kind,
      id: use.subjectId,
      no: use.subjectId,
      lineNo: known?.no ?? null,
      amountSatang: AMOUNT,
      accountIds: known || toldAt ? [1] : null,
      lineId: known?.id ?? null,
      reference,
      isConfirmed: toldAt !== null || (before?.isConfirmed ?? false),
      made: known ? factsOfLine(known, use.kind).made : (point ?? before?.made ?? use.made),
    })
  }

  #settle(line: NumberedLine, { line: after, order, uses, frees }: LineOutcome): void {
    this.lines.set(line.id, { ...line, ...after })
    const subject = order && this.wanted.get(order.order.id)
    if (subject) this.wanted.set(order.order.id, { ...subject, order: order.order })
    this.#use(order?.uses ?? uses)
    const id = line.target?.id ?? line.id
    if (order?.ledger?.kind === 'order_payment_undone' || frees === 'transfer') this.used.delete(id)
    const user = this.used.get(id)
    if (frees === 'line' && user) this.used.set(id, { ...user, lineId: null, lineNo: null, accountIds: null })
  }

  matchAll(): void {
    for (const line of this.lines.values()) {
      if (line.state !== 'unmatched' || line.version > 3) continue
      const payables = [...this.wanted].map(([id, wanted]) => this.#payable(id, wanted))
      const match = matchOf(line, payables)
      if (!match || this.usersOf(factsOfLine(line, match.target.kind), match.target.id).length > 0) continue
      this.#settle(
        line,
        matchByItself(line, { payable: match, reason: null }, this.wanted.get(match.target.id)!.order, this.now),
      )
    }
  }

  decide(line: NumberedLine, step: 'creditWallet' | 'oweRefund' | 'undo'): void {
    const [user = null] = this.usersOf(factsOfLine(line, 'line'), null)
    const known = { user, usedByNo: null, reason: 'x' }
    const order = line.target ? (this.wanted.get(line.target.id)?.order ?? null) : null
    const topUp = line.target ? this.wanted.get(line.target.id)?.topUp : null
    const isBooked = order ? order.paidAt !== null : topUp?.status === 'approve'
    const sale = order && {
      id: 's',
      subjectId: order.id,
      kind: 'order_paid' as const,
      postings: [],
      reason: null,
      reversesId: null,
      at: this.now,
    }
    const subject = line.target && { order, isOwn: false, isBooked }
    const choice =
      step === 'creditWallet'
        ? { step, wallet, ...known }
        : step === 'oweRefund'
          ? { step, order: null, ...known }
          : { step, decided: { ...nothing, subject, sale }, reason: 'x' }
    this.#settle(line, decideLine(line, choice, by(), this.now))
  }

  /** The provider answers about a slip: an order is paid by it, a top-up is left to a manager. */
  check(id: string, wanted: Wanted): void {
    const { order, topUp, slip } = wanted
    const isOpen = order ? order.status === 'waiting_payment' : topUp!.status === 'waiting_approve'
    if (!slip || slip.isDrawn || !isOpen || wanted.toldAt) return
    const kind = order ? 'order' : 'topUp'
    const window = order
      ? transferWindow(order)
      : { from: addSeconds(topUp!.createdAt, -86_400), to: addSeconds(this.now, 120) }
    const shown = { accountIds: [1], amountSatang: AMOUNT, made: window, lineId: null, reference: slip.reference }
    const users = this.usersOf({ ...shown, kind, isConfirmed: true }, id)
    const paid: Rival[] = users.map(user => ({
      no: usedTransferText(user),
      window: periodFor({ kind, lineId: null }, user),
      hasPaid: true,
    }))
    const waits = [...this.wanted].filter(
      ([other, each]) => other !== id && kind === 'topUp' && each.topUp?.status === 'waiting_approve',
    )
    const verdict = judge(
      {
        isSuccess: true,
        sendingBank: '014',
        reference: slip.reference,
        amountSatang: AMOUNT,
        transferredAt: slip.at,
        receiver: { bankCode: '004', names: account.names, account: account.accountNo, proxy: null },
        payer: { bankCode: null, names: [], account: null, proxy: null },
        matched: null,
        flags: { isRepeat: false, amountDiffers: false, receiverDiffers: false },
      },
      {
        amountSatang: AMOUNT,
        accounts: [account],
        window,
        wasAskedBefore: false,
        slip: { sendingBank: '014', reference: slip.reference },
        isSlipOurs: ![...this.used.values()].some(user => user.reference === slip.reference && user.id !== id),
        rivals: [...paid, ...waits.map(([no]) => ({ no, window: null, hasPaid: false }))],
      },
    )
    if (!isApproved(verdict)) return
    this.wanted.set(id, { ...wanted, toldAt: slip.at })
    if (!order) return
    const outcome = markPaid(order, SYSTEM, null, this.now, slip.at)
    this.wanted.set(id, { ...wanted, toldAt: slip.at, order: outcome.order })
    this.#use(outcome.uses)
  }

  /** A manager approves what the screen shows as clear: a line of its own, or a confirmed slip; `word`: whatever it shows. */
  approve(id: string, { topUp, toldAt, slip }: Wanted, word: boolean): void {
    if (topUp?.status !== 'waiting_approve') return
    const line = this.#lineOf(id)
    if (!line && !toldAt && !word) return
    const facts = transferOf(topUp, toldAt, this.now)
    const use = { ...facts, accountIds: toldAt ? [1] : null, reference: slip?.reference ?? null, isConfirmed: !!toldAt }
    if (toldAt) use.made = { from: toldAt, to: toldAt }
    if (!line && this.usersOf(use, id).length > 0) return
    const approver = {
      uid: 'm1',
      recentlyReset: [],
      twoApproversAboveSatang: 10 ** 9,
      receivedTodaySatang: 0,
      lineAccountId: line ? 1 : null,
    }
    const outcome = approveTopUp(topUp, limits, approver, { reason: 'x', receivingAccountId: null, toldAt }, this.now)
    this.wanted.set(id, { ...this.wanted.get(id)!, topUp: outcome.topUp })
    this.#use(outcome.uses)
  }

  markPaidByHand(id: string, { order, slip }: Wanted): void {
    if (order?.status !== 'waiting_payment') return
    const outcome = markPaid(order, by().actor, 'เห็นในบัญชี', this.now)
    const facts = { ...outcome.uses!, accountIds: null, isConfirmed: false }
    if (this.usersOf({ ...facts, reference: slip?.reference ?? null }, id).length > 0) return
    this.wanted.set(id, { ...this.wanted.get(id)!, order: outcome.order })
    this.#use(outcome.uses)
  }

  /** What a line or a confirmed slip brought; what stands on a word alone is listed as without a line. */
  get proven(): number {
    return [...this.used.values()].filter(({ lineId, isConfirmed }) => lineId !== null || isConfirmed).length
  }
}

const STEPS = [
  'pay',
  'pay',
  'want',
  'want',
  'write',
  'write',
  'match',
  'check',
  'check',
  'approve',
  'approve',
  'word',
].concat(['hand', 'credit', 'owe', 'undo', 'wait'])
const step = fc.record({ name: fc.constantFrom(...STEPS), a: fc.nat(40), b: fc.nat(40), is: fc.boolean() })

function run(model: Model, { name, a, b, is }: { name: string; a: number; b: number; is: boolean }): void {
  const pick = <T>(list: Iterable<T>, n: number): T | undefined => {
    const all = [...list]
    return all[n % Math.max(1, all.length)]
  }
  const entry = pick(model.wanted, a)
  const line = pick(model.lines.values(), a)
  const transfer = pick(model.transfers, b)
  if (name === 'pay') model.pay(a % 8 === 0)
  if (name === 'want') model.want(is ? 'topUp' : 'order', b % 3 === 0 ? null : (transfer ?? null))
  if (name === 'write' && transfer && !transfer.isDrawn) writeOnce(model, transfer, (a % 7) * 120 - 120)
  if (name === 'match') model.matchAll()
  if (name === 'check' && entry) model.check(...entry)
  if (name === 'approve' && entry) model.approve(...entry, false)
  if (name === 'word' && entry) model.approve(...entry, true)
  if (name === 'hand' && entry) model.markPaidByHand(...entry)
  if (name === 'credit' && line?.state === 'unmatched') model.decide(line, 'creditWallet')
  if (name === 'owe' && line?.state === 'unmatched') model.decide(line, 'oweRefund')
  if (name === 'undo' && line && line.state !== 'unmatched') model.decide(line, 'undo')
  if (name === 'wait') model.now = addSeconds(model.now, 30 + a * 20)
}

const written = new WeakMap<Model, Set<Made>>()
/** A bank writes each transfer down once. */
function writeOnce(model: Model, transfer: Made, offSeconds: number): void {
  const known = written.get(model) ?? new Set()
  written.set(model, known)
  if (known.has(transfer)) return
  known.add(transfer)
  model.write(transfer, offSeconds)
}

test('whatever lines, slips, hands and undos come in whatever order: no more is taken as proven than came', () => {
  let proven = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), steps => {
      const model = new Model()
      for (const each of steps) {
        try {
          run(model, each)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
        }
        const came = model.transfers.filter(({ isDrawn }) => !isDrawn).length
        expect(model.proven).toBeLessThanOrEqual(came)
      }
      proven += model.proven
    }),
    { numRuns: 1000 },
  )
  // It is no model in which nothing is ever paid.
  expect(proven).toBeGreaterThan(300)
})
