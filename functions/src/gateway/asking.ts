import { invariant } from '@shop/shared/errors.ts'
import { type Charge, GATEWAY_CLOCK_SECONDS, nextAskAt } from '@shop/shared/gateway/gateway.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { askAgainAt } from '../outbox/job-kind.ts'
import { enqueue, type Settlement } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import type { ChargeAnswer, Gateway, ToldCharge } from './provider.ts'
import * as store from './store.ts'

/**
 * Asks a gateway about a charge. One whose reference was lost with the answer is looked for in the gateway's list, by
 * the shop's own id.
 */
export async function askAbout(gateway: Gateway, charge: Charge, now: Date): Promise<ChargeAnswer> {
  if (charge.reference !== null) return gateway.read(charge.reference)
  const list = await gateway.list({
    from: addSeconds(charge.createdAt, -GATEWAY_CLOCK_SECONDS),
    to: addSeconds(now, GATEWAY_CLOCK_SECONDS),
  })
  if (list.kind !== 'list') return list
  const found = list.charges.find(({ chargeId }) => chargeId === charge.id)
  if (found) return { kind: 'charge', charge: found }
  // A list that lacks some, or was made while the charge was on its way, proves nothing.
  const isSure = list.isWhole && addSeconds(charge.createdAt, GATEWAY_CLOCK_SECONDS) <= now
  return isSure ? { kind: 'missing' } : { kind: 'silent' }
}

/** Locks what a charge pays. Every change of a charge locks that first, so that the two never wait for each other. */
function lockOwner(tx: Sql, { orderId, topUpId }: Charge, owners: Partial<store.ChargeOwners>) {
  const lock = orderId === null ? owners.topUp : owners.order
  const id = orderId ?? topUpId
  invariant(lock && id, 'a charge pays an order or a top-up')
  return lock(tx, id)
}

/** Stores what a decision about a charge leads to. */
async function save(
  tx: Sql,
  { heard, ...owner }: ReturnType<Awaited<ReturnType<store.LockOwner>>>,
  told: ToldCharge,
  now: Date,
): Promise<void> {
  const { charge, mustEnd, contradiction } = heard
  const pay = told.state.kind === 'waiting' ? told.state.pay : null
  if (contradiction) log('ERROR', 'gateway contradicts a charge', { charge: charge.id, contradiction })
  await store.saveCharge(tx, { ...charge, silentSince: null }, { pay: contradiction ? null : pay, contradiction })
  await owner.save()
  if (mustEnd)
    await enqueue(tx, { kind: 'charge.end', key: `${charge.id}:found`, payload: { chargeId: charge.id }, now })
}

/**
 * No answer is no answer: what could still be paid stays as it is, people see since when nobody knows more, and it is asked
 * about until the gateway says how it ended, or a person does. @param why in the words of the log
 */
async function stayUnknown(
  tx: Sql,
  charge: store.ChargeRow,
  { why, retryAt, contradiction }: { why: string; retryAt: Date | null; contradiction?: string },
  now: Date,
): Promise<Settlement> {
  log('WARNING', 'gateway gives no answer about a charge', { charge: charge.id, answer: why })
  // Of one that is paid only the fee may be missing, which the night asks about.
  if (charge.state === 'paid') return settled(nextAskAt(charge, now))
  const silentSince = charge.silentSince ?? now
  await store.saveCharge(tx, { ...charge, silentSince }, { contradiction })
  return { to: 'waiting', dueAt: askAgainAt(silentSince, retryAt, now), error: why }
}

/**
 * Hears a gateway's answer about a charge: in one transaction with what it pays, the money and the job that asked.
 * @returns whether and when the charge must be asked about again
 */
export async function hearAnswer(
  tx: Sql,
  shop: Pick<Shop, 'now'>,
  owners: Partial<store.ChargeOwners>,
  chargeId: string,
  answer: ChargeAnswer,
): Promise<Settlement> {
  const now = shop.now()
  const found = await store.findCharge(tx, chargeId)
  invariant(found, 'a job names its charge')
  const hear = await lockOwner(tx, found, owners)
  const charge = await store.lockCharge(tx, chargeId)
  invariant(charge, 'a charge is never deleted')
  // Meanwhile its money has become a top-up of its own.
  if (charge.topUpId !== found.topUpId) return { to: 'waiting', dueAt: now, error: null }
  if (answer.kind === 'charge') {
    const decided = hear(charge, answer.charge, now)
    await save(tx, decided, answer.charge, now)
    const { heard } = decided
    const isKnown = heard.contradiction !== null || (heard.charge.state === 'paid' && heard.charge.feeSatang !== null)
    return settled(isKnown ? null : nextAskAt(heard.charge, now))
  }
  if (answer.kind === 'missing' && charge.reference === null) {
    // The gateway never got it.
    await store.saveCharge(tx, { ...charge, state: 'failed', silentSince: null })
    return settled(null)
  }
  const retryAt = answer.kind === 'busy' ? answer.retryAt : null
  const contradiction = answer.kind === 'missing' ? 'the gateway no longer knows it' : undefined
  return stayUnknown(tx, charge, { why: answer.kind, retryAt, contradiction }, now)
}

const settled = (dueAt: Date | null): Settlement => (dueAt ? { to: 'waiting', dueAt, error: null } : { to: 'done' })

type Ask = (gateway: Gateway, charge: Charge, now: Date) => Promise<ChargeAnswer>

/** Makes the handler of a job that asks something about a charge. */
const handlerOf = (ask: Ask, owners: store.ChargeOwners): OutboxHandler<'charge.ask' | 'charge.end'> => ({
  concurrency: 8,
  lockSeconds: 120,
  mostFaults: 60,
  async run(shop, { chargeId }) {
    const charge = await store.findCharge(shop.db, chargeId)
    invariant(charge, 'a job names its charge')
    const { gateway } = shop
    // It was refused when it was asked for.
    if (charge.state === 'failed' && charge.reference === null) return async () => ({ to: 'done' })
    if (gateway?.name !== charge.gateway) return tx => hearAnswer(tx, shop, owners, chargeId, { kind: 'silent' })
    const answer = await ask(gateway, charge, shop.now())
    return tx => hearAnswer(tx, shop, owners, chargeId, answer)
  },
})

/** Makes the handler that asks about a charge, again and again until it is known how it ended. */
export const chargeAskHandler = (owners: store.ChargeOwners): OutboxHandler<'charge.ask'> => handlerOf(askAbout, owners)

/**
 * Makes the handler that ends a charge which is no longer wanted. Where the gateway has said nothing yet, it is asked
 * about like any other.
 */
export const chargeEndHandler = (owners: store.ChargeOwners): OutboxHandler<'charge.end'> =>
  handlerOf(
    (gateway, charge, now) =>
      charge.reference === null || charge.state !== 'waiting'
        ? askAbout(gateway, charge, now)
        : gateway.end(charge.reference),
    owners,
  )
