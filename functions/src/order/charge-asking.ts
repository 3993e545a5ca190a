import { invariant } from '@shop/shared/errors.ts'
import { type Charge, LAST_ASK_SECONDS, nextAskAt } from '@shop/shared/gateway/gateway.ts'
import { type ChargeOutcome, hearCharge } from '@shop/shared/order/charge.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import type { ChargeAnswer, Gateway, ToldCharge } from '../gateway/provider.ts'
import * as store from '../gateway/store.ts'
import { log } from '../http/log.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { enqueue, type Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import { postLedger } from '../wallet/store.ts'
import { insertOwedRefund, lockOrder, saveOutcome } from './store.ts'

/** The clocks of the gateway and of the shop may differ by this much. */
const CLOCK_SECONDS = 120
const SILENT_SECONDS = 20
const MOST_ASKS = 60

/** What staff read beside money that came too late. */
const OWED_REASON = 'เงินจากการชำระผ่านผู้ให้บริการ เข้ามาเมื่อคำสั่งซื้อไม่ได้รอชำระแล้ว'

/**
 * Asks a gateway about a charge. One whose reference was lost with the answer is looked for in the gateway's list, by
 * the shop's own id.
 */
async function askAbout(gateway: Gateway, charge: Charge, now: Date): Promise<ChargeAnswer> {
  if (charge.reference !== null) return gateway.read(charge.reference)
  const list = await gateway.list({
    from: addSeconds(charge.createdAt, -CLOCK_SECONDS),
    to: addSeconds(now, CLOCK_SECONDS),
  })
  if (list.kind !== 'list') return list
  const found = list.charges.find(({ chargeId }) => chargeId === charge.id)
  if (found) return { kind: 'charge', charge: found }
  // A list that lacks some, or was made while the charge was on its way, proves nothing.
  const isSure = list.isWhole && addSeconds(charge.createdAt, CLOCK_SECONDS) <= now
  return isSure ? { kind: 'missing' } : { kind: 'silent' }
}

/** Stores what a decision about a charge leads to. */
async function save(tx: Sql, outcome: ChargeOutcome, told: ToldCharge, now: Date): Promise<void> {
  const { charge, pays, owedSatang, ledger, mustEnd, contradiction } = outcome
  const pay = told.state.kind === 'waiting' ? told.state.pay : null
  if (contradiction) log('ERROR', 'gateway contradicts a charge', { charge: charge.id, contradiction })
  await store.saveCharge(tx, charge, { pay: contradiction ? null : pay, contradiction })
  if (pays) await saveOutcome(tx, pays)
  if (owedSatang !== null)
    await insertOwedRefund(
      tx,
      { orderId: charge.orderId, lineId: null, chargeId: charge.id, amountSatang: owedSatang, reason: OWED_REASON },
      now,
    )
  if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: charge.id })
  if (mustEnd)
    await enqueue(tx, { kind: 'charge.end', key: `${charge.id}:found`, payload: { chargeId: charge.id }, now })
}

/** Returns when a charge is to be asked about again after the gateway gave no whole answer. */
function againAfter(answer: ChargeAnswer, now: Date): Date {
  const soon = addSeconds(now, SILENT_SECONDS)
  return answer.kind === 'busy' && answer.retryAt && answer.retryAt > soon ? answer.retryAt : soon
}

/**
 * Hears a gateway's answer about a charge: in one transaction with the order, the money and the job that asked.
 * @returns whether and when the charge must be asked about again
 */
export async function hearAnswer(
  tx: Sql,
  shop: Pick<Shop, 'now'>,
  chargeId: string,
  answer: ChargeAnswer,
): Promise<Settlement> {
  const now = shop.now()
  const found = await store.findCharge(tx, chargeId)
  invariant(found, 'a job names its charge')
  // Every change of a charge locks its order first, so that a charge and an order never wait for each other.
  const locked = await lockOrder(tx, { id: found.orderId })
  const charge = await store.lockCharge(tx, chargeId)
  invariant(locked && charge, 'a charge has an order')
  if (answer.kind === 'charge') {
    const outcome = hearCharge(charge, answer.charge, locked.order, now)
    await save(tx, outcome, answer.charge, now)
    const isKnown =
      outcome.contradiction !== null || (outcome.charge.state === 'paid' && outcome.charge.feeSatang !== null)
    return settled(isKnown ? null : nextAskAt(charge, now))
  }
  if (answer.kind === 'missing' && charge.reference === null) {
    // The gateway never got it.
    await store.saveCharge(tx, { ...charge, state: 'failed' })
    return settled(null)
  }
  log('WARNING', 'gateway gives no answer about a charge', { charge: charge.id, answer: answer.kind })
  if (addSeconds(charge.expiresAt, LAST_ASK_SECONDS) > now)
    return { to: 'waiting', dueAt: againAfter(answer, now), error: answer.kind }
  await store.saveCharge(tx, charge, { contradiction: `no answer: ${answer.kind}` })
  return { to: 'dead', error: answer.kind }
}

const settled = (dueAt: Date | null): Settlement => (dueAt ? { to: 'waiting', dueAt, error: null } : { to: 'done' })

type Ask = (gateway: Gateway, charge: Charge, now: Date) => Promise<ChargeAnswer>

/** Makes the handler of a job that asks something about a charge. */
const handlerOf = (ask: Ask): OutboxHandler<'charge.ask' | 'charge.end'> => ({
  concurrency: 8,
  lockSeconds: 120,
  maxAttempts: MOST_ASKS,
  async run(shop, { chargeId }) {
    const charge = await store.findCharge(shop.db, chargeId)
    invariant(charge, 'a job names its charge')
    const { gateway } = shop
    // It was refused when it was asked for.
    if (charge.state === 'failed' && charge.reference === null) return async () => ({ to: 'done' })
    if (gateway?.name !== charge.gateway)
      return async () => ({ to: 'dead', error: 'the gateway of this charge is not configured' })
    const answer = await ask(gateway, charge, shop.now())
    return tx => hearAnswer(tx, shop, chargeId, answer)
  },
})

/** Asks about a charge, again and again until it is known how it ended. */
export const chargeAskHandler: OutboxHandler<'charge.ask'> = handlerOf(askAbout)

/** Ends a charge that is no longer wanted. Where the gateway has said nothing yet, it is asked about like any other. */
export const chargeEndHandler: OutboxHandler<'charge.end'> = handlerOf((gateway, charge, now) =>
  charge.reference === null || charge.state !== 'waiting'
    ? askAbout(gateway, charge, now)
    : gateway.end(charge.reference),
)
