import type { GatewayMethod } from '../catalogue/payment-method.ts'
import { invariant } from '../errors.ts'
import type { Charge, ToldCharge } from '../gateway/gateway.ts'
import type { Satang } from '../money.ts'
import { addSeconds } from '../time.ts'
import { accountOfCharge, chargeFee, feesOf, gatewayFeeOf, type HeardCharge, hearTold } from './hearing.ts'
import type { NewTransaction } from './ledger.ts'
import { checkTopUpAmount, type TopUp, type TopUpLimits } from './top-up.ts'

/** What agents read beside the money of a top-up that they have paid twice. */
const PAID_AGAIN = 'จ่ายซ้ำผ่านผู้ให้บริการ เข้ากระเป๋าเงินทั้งยอด'

type NewTopUp = Pick<TopUp, 'id' | 'no'>

/**
 * Enters a top-up that is paid through the gateway. No person approves it.
 * @param askedSatang what other top-ups through the gateway still ask for, which may come to the wallet as well
 * @throws TOP_UP_ABOVE_ROOM, TOP_UP_BELOW_MINIMUM
 */
export function enterGatewayTopUp(
  draft: NewTopUp & Pick<TopUp, 'walletId' | 'ownerUid' | 'amountSatang'> & { payment: GatewayMethod },
  limits: TopUpLimits & { askedSatang: Satang },
  timeLimitMinutes: number,
  now: Date,
): TopUp {
  checkTopUpAmount(draft.amountSatang, { ...limits, balanceSatang: limits.balanceSatang + limits.askedSatang })
  return {
    ...draft,
    status: 'waiting_payment',
    version: 1,
    slipId: null,
    receivingAccountId: null,
    expiresAt: addSeconds(now, timeLimitMinutes * 60),
    enteredBy: draft.ownerUid,
    firstApprovedBy: null,
    decidedBy: null,
    decidedAt: null,
    reason: null,
    correctedAt: null,
    createdAt: now,
  }
}

/** Ends a top-up whose money did not come in time. */
export function expireTopUp(topUp: TopUp, now: Date): TopUp {
  invariant(topUp.status === 'waiting_payment', 'only an unpaid top-up runs out of time')
  return { ...topUp, status: 'expired', version: topUp.version + 1, decidedAt: now }
}

/** Everything that a gateway's word about a top-up's charge leads to. */
export interface TopUpChargeOutcome extends HeardCharge {
  /** The top-up that its money approves, and the money onto the wallet. */
  credits: { topUp: TopUp; isNew: boolean; ledger: NewTransaction } | null
}

/**
 * Decides what the gateway's word about a top-up's charge means. It may come any number of times, late, and in any order.
 * @param topUp as it is now, locked together with the charge
 * @param spare names the top-up that is made for money which the top-up itself has already
 */
export function hearTopUpCharge(
  charge: Charge,
  told: ToldCharge,
  topUp: TopUp,
  spare: NewTopUp,
  now: Date,
): TopUpChargeOutcome {
  invariant(topUp.id === charge.topUpId, 'a charge is decided with its own top-up')
  const heard = hearTold(charge, told, topUp.status === 'waiting_payment')
  return { ...heard, credits: null, ...(heard.isPaidNow && takeMoney(heard.charge, topUp, spare, now)) }
}

/**
 * The money is there. It is the agent's own and comes onto their wallet also after the top-up was given up or ran out of
 * time, and above the tier's limit. All of what was paid twice is a top-up of its own.
 */
function takeMoney(
  charge: Charge,
  topUp: TopUp,
  spare: NewTopUp,
  now: Date,
): Pick<TopUpChargeOutcome, 'charge' | 'credits' | 'ledger'> {
  const isNew = topUp.status === 'approve'
  const approved: TopUp = {
    ...topUp,
    ...(isNew && { ...spare, amountSatang: charge.amountSatang, createdAt: now }),
    payment: charge.method,
    status: 'approve',
    version: isNew ? 1 : topUp.version + 1,
    decidedBy: null,
    decidedAt: now,
    reason: isNew ? PAID_AGAIN : null,
  }
  const { walletId, amountSatang } = approved
  const ledger: NewTransaction = {
    kind: 'top_up',
    postings: [{ from: accountOfCharge(charge), to: `wallet:${walletId}`, amountSatang }],
    reason: approved.reason,
    reversesId: null,
  }
  return {
    charge: { ...charge, topUpId: approved.id },
    credits: { topUp: approved, isNew, ledger },
    ledger: chargeFee(isNew ? gatewayFeeOf(charge) : feesOf(charge)),
  }
}
