import { isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { isCorrectable, playerChangeOf } from '@shop/shared/order/correction.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { expectedOf } from '@shop/shared/order/expected.ts'
import { amountOf, canCancel, dueOf } from '@shop/shared/order/order.ts'
import { endOfPayee } from '@shop/shared/order/payee.ts'
import { fitOf, isPayerKnown, type Payer, shownAccount, shownName, wantedOf } from '@shop/shared/order/payer.ts'
import { reductionTextOf } from '@shop/shared/order/reduce.ts'
import { reasonForBuyer, transferredBack } from '@shop/shared/order/refund.ts'
import { canAddSlip, canReport } from '@shop/shared/order/report.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { isMasked, mask } from '@shop/shared/order/tracking.ts'
import { isSlipAskedAgain } from '@shop/shared/slipcheck/slip-check.ts'
import { keysOf } from '@shop/shared/table.ts'
import { viewAccount } from '../catalogue/on-sale.ts'
import { viewCharge } from '../gateway/view.ts'
import { inJson } from '../http/in-json.ts'
import { promptPayText } from '../transfer/promptpay.ts'
import type { StoredRefund } from './money-back-store.ts'
import type { BuyerContact, OrderRecord } from './store.ts'

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null

const viewBuyer = ({ phone: tel, providers, ...buyer }: BuyerContact) => ({
  ...buyer,
  tel,
  hasFacebook: providers.includes('facebook.com'),
})

const viewRefund = ({ id: _, payee, payeeAt, sentAt, ...refund }: StoredRefund) => ({
  ...refund,
  payer: null,
  payeeFit: null,
  payee: payee && endOfPayee(payee),
  payeeAt: payeeAt && new Date(payeeAt).toISOString(),
  sentAt: sentAt && new Date(sentAt).toISOString(),
})

function facts(record: OrderRecord, now: Date) {
  const { order, snapshot, gameCode, slipCheck, termsAcceptedAt, proposedPlayer } = record
  const { receivingAccount } = snapshot
  return {
    orderNo: order.orderNo,
    status: order.status,
    game: { code: gameCode, name: snapshot.gameName, picture: snapshot.gamePicture },
    package: { id: order.packageId, name: snapshot.packageName, delivers: record.delivers },
    playerId: order.playerId,
    playerName: order.playerName,
    fields: snapshot.fields,
    payment: order.payment,
    quantity: order.quantity,
    priceSatang: order.priceSatang,
    tailSatang: order.tailSatang,
    amountSatang: amountOf(order),
    creditSatang: order.creditSatang,
    dueSatang: dueOf(order),
    receivingAccount: order.receivingAccountId !== null && receivingAccount ? viewAccount(receivingAccount) : null,
    createdAt: order.createdAt.toISOString(),
    expiresAt: iso(order.expiresAt),
    transferReportedAt: iso(order.transferReportedAt),
    slipId: order.slipId,
    slipCheck,
    paidAt: iso(order.paidAt),
    endedAt: iso(order.endedAt),
    deliveryReference: order.deliveryReference,
    reason: order.reason,
    termsVersion: snapshot.termsVersion,
    termsAcceptedAt: termsAcceptedAt.toISOString(),
    warning: snapshot.acceptedWarning ?? '',
    usualMinutes: snapshot.usualMinutes,
    canReport: canReport(order, now, isSlipAskedAgain(slipCheck)),
    canAddSlip: canAddSlip(order, now),
    addSlipBy: canAddSlip(order, now) ? iso(order.expireAfter) : null,
    canCancel: canCancel(order),
    canCorrect: isCorrectable(order),
    proposedFields: isCorrectable(order) ? (proposedPlayer?.fields ?? null) : null,
    refundAskedAt: record.refundRequest && new Date(record.refundRequest.askedAt).toISOString(),
    canAskRefund: order.status === 'failed' && !record.refundRequest,
    creditBackSatang: record.creditBackSatang,
    newsAddress: order.status === 'failed' ? record.codeAddress : null,
    canGiveNewsAddress: false,
    playerChange: playerChangeOf(record.events),
    reduction: reductionTextOf(record.events),
    refunds: refundsOf(record).map(viewRefund),
    canGivePayee: false,
    canTakeCredit: false,
    charge: record.charge && isGatewayMethod(order.payment) ? viewCharge(record.charge) : null,
  }
}

/** Who paid what is owed, by the refund's id. */
type Payers = ReadonlyMap<string, readonly (Payer | null)[]>

/** The account that the buyer may have their money sent back to, as they are shown it. */
function viewPayer(payer: Payer | null): OrderView['refunds'][number]['payer'] {
  if (!isPayerKnown(payer)) return null
  const { bankCode, account, name } = payer
  return { bankCode, account: shownAccount(account), name: name && shownName(name), wants: wantedOf(payer) }
}

/** What the buyer of an order sees of its refunds beside what everybody sees who may look at it. */
const refundsForBuyer = (refunds: StoredRefund[], payers: Payers): OrderView['refunds'] =>
  refunds.map(refund => {
    const shown = viewRefund(refund)
    const found = payers.get(refund.id)
    if (!found) return shown
    const fit = refund.payee && fitOf(refund.payee, found[0] ?? null)
    return { ...shown, payer: viewPayer(found[0] ?? null), payeeFit: fit }
  })

/** What is or was owed for an order; of a failed one also what its buyer asked for, as the refund that it becomes. */
export function refundsOf({ order, refunds, refundRequest }: OrderRecord): StoredRefund[] {
  const amountSatang = transferredBack(order)
  if (!refundRequest || amountSatang === 0) return refunds
  const { payee, payeeAt } = refundRequest
  return [...refunds, { id: order.id, amountSatang, payee, payeeAt, asCredit: false, sentAt: null, slipId: null }]
}

interface Viewer {
  /** Where it is null, no codes are shown. */
  codes: OrderView['codes']
  /** False for somebody with only the tracking link, who may look and report but not cancel. */
  isBuyer: boolean
  byLink: boolean
  /** Whether the viewer's account may take what is owed as shop credit, or one may that they make now. */
  mayTakeCredit: boolean
  payers: Payers
  /** Whether the shop sends mail to its guests. */
  getsMail: boolean
}

/** Somebody to whom nothing is owed, or who only reads what was bought. */
export const READER: Viewer = {
  codes: null,
  isBuyer: true,
  byLink: false,
  mayTakeCredit: false,
  payers: new Map(),
  getsMail: false,
}

interface Shown {
  openingHours: string
  isHolding: boolean
  /** Whether the shop pays refunds as shop credit. */
  givesCredit: boolean
  now: Date
}

/** Returns an order for its buyer, or for somebody with its tracking link. */
export function customerView(
  record: OrderRecord,
  { codes, isBuyer, byLink, mayTakeCredit, payers, getsMail }: Viewer,
  { openingHours, isHolding, givesCredit, now }: Shown,
): OrderView {
  const { order } = record
  const payable = order.status === 'waiting_payment' && record.snapshot.receivingAccount?.promptPayId
  const shown = facts(record, now)
  // Nobody knows when somebody says go.
  const expected = isHolding
    ? null
    : expectedOf({ ...record, status: order.status, usualMinutes: shown.usualMinutes }, openingHours)
  const isOwed = shown.refunds.some(({ sentAt }) => sentAt === null)
  const isDecided = record.refunds.some(({ sentAt }) => sentAt === null)
  const view: OrderView = {
    ...shown,
    canAskRefund: isBuyer && shown.canAskRefund,
    newsAddress: isBuyer ? shown.newsAddress : null,
    canGiveNewsAddress: isBuyer && order.buyerUid === null && getsMail && order.status === 'failed',
    canCancel: isBuyer && shown.canCancel,
    canCorrect: isBuyer && shown.canCorrect,
    proposedFields: isBuyer ? shown.proposedFields : null,
    canGivePayee: isBuyer && isOwed,
    canTakeCredit: isBuyer && isDecided && givesCredit && !isHolding && mayTakeCredit,
    refunds: isBuyer ? refundsForBuyer(refundsOf(record), payers) : shown.refunds,
    buyer: byLink || order.buyerUid === null ? null : viewBuyer(record.buyer),
    reason: ORDER_STATUS[order.status].tellsReason ? order.reason && reasonForBuyer(order.reason) : null,
    promptPay: payable ? promptPayText(payable, dueOf(order)) : null,
    trackToken: record.trackToken,
    ahead: record.ahead,
    codes,
    expected: expected && inJson(expected),
    timeline: record.events
      // How the shop checks its own work is not shown to customers.
      .filter(({ kind }) => kind !== 'money_confirmed')
      .map(event => ({
        kind: event.kind,
        to: event.to,
        at: event.at.toISOString(),
        reason:
          event.kind === 'status' && ORDER_STATUS[event.to].tellsReason
            ? event.reason && reasonForBuyer(event.reason)
            : null,
      })),
    nowDate: now.toISOString(),
  }
  return byLink && isMasked(order, now) ? leftOf(view, LONG_AFTER) : view
}

/** For each field of a view: shown whole, or the part of it that is shown. */
type Left<View> = { [Field in keyof View]: 'whole' | ((value: View[Field]) => View[Field]) }

/** The fields that a tracking link shows of an order that ended long ago. */
const LONG_AFTER: Left<OrderView> = {
  orderNo: 'whole',
  status: 'whole',
  game: 'whole',
  package: 'whole',
  playerId: mask,
  playerName: name => name && mask(name),
  fields: fields => fields.map(field => ({ ...field, value: mask(field.value) })),
  payment: 'whole',
  quantity: 'whole',
  priceSatang: 'whole',
  tailSatang: 'whole',
  amountSatang: 'whole',
  creditSatang: 'whole',
  dueSatang: 'whole',
  receivingAccount: 'whole',
  promptPay: 'whole',
  createdAt: 'whole',
  expiresAt: 'whole',
  transferReportedAt: 'whole',
  slipId: 'whole',
  slipCheck: 'whole',
  paidAt: 'whole',
  endedAt: 'whole',
  deliveryReference: reference => reference && mask(reference),
  reason: 'whole',
  ahead: 'whole',
  expected: 'whole',
  buyer: 'whole',
  termsVersion: 'whole',
  termsAcceptedAt: 'whole',
  warning: 'whole',
  trackToken: 'whole',
  usualMinutes: 'whole',
  canReport: 'whole',
  canAddSlip: 'whole',
  addSlipBy: 'whole',
  canCancel: 'whole',
  canCorrect: 'whole',
  proposedFields: 'whole',
  refundAskedAt: 'whole',
  canAskRefund: 'whole',
  creditBackSatang: 'whole',
  newsAddress: () => null,
  canGiveNewsAddress: 'whole',
  playerChange: () => null,
  reduction: 'whole',
  refunds: 'whole',
  canGivePayee: 'whole',
  canTakeCredit: 'whole',
  charge: 'whole',
  codes: () => null,
  timeline: 'whole',
  nowDate: 'whole',
}

/**
 * The fields for bookkeepers: the money and whose it is, but neither the player nor a way to reach the buyer. Purchases
 * from a supplier also name the player.
 */
const FOR_BOOKS: Left<StaffOrderView> = {
  ...LONG_AFTER,
  buyer: buyer => ({ ...buyer, email: null, tel: null, lineId: null }),
  proposedFields: () => null,
  queueNo: 'whole',
  claimedBy: 'whole',
  claimedByName: 'whole',
  claimedAt: 'whole',
  claimUntil: 'whole',
  canRedo: () => false,
  hold: 'whole',
  commands: () => [],
  sameAmountOrderNo: 'whole',
  statementLine: 'whole',
  charges: 'whole',
  slipVerdict: 'whole',
  hasCodes: () => false,
  delivery: () => null,
  slipOthers: 'whole',
  maybeUsedBy: 'whole',
  timeline: events => events.map(event => (tellsPlayer(event) ? { ...event, reason: null } : event)),
}

/** Tells whether an event's text names a player: the buyer gave another one, or the shop tried again with one. */
const tellsPlayer = ({ kind, from, to }: StaffOrderView['timeline'][number]): boolean =>
  kind === 'player_proposed' || (from === 'failed' && to === 'paid')

/** Returns an order for bookkeepers. */
export function booksView(view: StaffOrderView): StaffOrderView {
  const said = view.timeline.filter(tellsPlayer).map(({ reason }) => reason)
  return { ...leftOf(view, FOR_BOOKS), reason: said.includes(view.reason) ? null : view.reason }
}

function leftOf<View extends object>(view: View, left: Left<View>): View {
  const show = <Field extends keyof View>(field: Field): View[Field] => {
    const shown = left[field]
    return shown === 'whole' ? view[field] : (shown as (value: View[Field]) => View[Field])(view[field])
  }
  const fields = keysOf(view)
  return Object.fromEntries(fields.map(field => [field, show(field)])) as View
}

/** Returns the part of an order's view for staff that depends on the order alone. */
export function staffView(record: OrderRecord, finishedCount: number, now: Date) {
  const { order, buyer, claimedByName, events } = record
  return {
    ...facts(record, now),
    queueNo: record.queueNo,
    buyer: { uid: order.buyerUid, ...viewBuyer(buyer), providers: buyer.providers, finishedCount },
    claimedBy: order.claimedBy,
    claimedByName,
    claimedAt: iso(order.claimedAt),
    claimUntil: iso(order.claimUntil),
    timeline: events.map(({ kind, from, to, at, reason, actor: by, actorName }) => ({
      kind,
      from,
      to,
      at: at.toISOString(),
      reason,
      actorName,
      actorRole: by.role,
    })),
    nowDate: now.toISOString(),
  }
}
