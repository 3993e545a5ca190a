import type { Charge } from '@shop/shared/gateway/gateway.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import type { ToldCharge } from './provider.ts'
import * as store from './store.ts'

/** The days of charges that are compared, so that what one night missed the next finds. */
const CHECKED_SECONDS = 2 * 24 * 3600
/** What is younger may be on its way. */
const YOUNG_SECONDS = 600

/** Returns how a charge in the shop's books differs from the gateway's list; null when they agree. */
function differenceOf(charge: Charge, told: ToldCharge | undefined): string | null {
  const isPaid = charge.state === 'paid'
  if (!told) return isPaid ? `${charge.reference}: paid here, not in their list` : null
  const { state } = told
  if (state.kind !== 'paid') return isPaid ? `${told.reference}: paid here, they say ${state.kind}` : null
  if (!isPaid) return `${told.reference}: they say paid, ${charge.state} here`
  if (told.amountSatang !== charge.amountSatang)
    return `${told.reference}: ${formatBaht(charge.amountSatang)} here, they say ${formatBaht(told.amountSatang)} baht`
  if (state.feeSatang !== null && state.feeSatang !== charge.feeSatang)
    return `${told.reference}: fee ${charge.feeSatang ?? 'unknown'} here, they say ${state.feeSatang} satang`
  return null
}

/**
 * Holds the gateway's own list of charges against the shop's. What it took without the shop knowing is asked about anew,
 * so that it pays its order or is owed.
 */
export async function checkGateway(shop: Pick<Shop, 'db' | 'gateway' | 'now'>): Promise<string[]> {
  const { db, gateway } = shop
  if (!gateway) return []
  const now = shop.now()
  const period = { from: addSeconds(now, -CHECKED_SECONDS), to: addSeconds(now, -YOUNG_SECONDS) }
  const list = await gateway.list(period)
  if (list.kind !== 'list') return [`${gateway.name} gives no list: ${list.kind}`]
  const ours = await store.findChargesBetween(db, gateway.name, period)
  const told = new Map(list.charges.flatMap(each => (each.chargeId === null ? [] : [[each.chargeId, each] as const])))
  const known = new Set(ours.map(({ id }) => id))
  const strangers = list.charges.filter(
    ({ chargeId, state }) => state.kind === 'paid' && !(chargeId && known.has(chargeId)),
  )
  for (const { id, state } of ours) {
    const taken = told.get(id)
    if (state === 'paid' || taken?.state.kind !== 'paid') continue
    // An earlier list may have lacked it, so that it was given up.
    await store.learnReference(db, id, taken.reference)
    await enqueue(db, { kind: 'charge.ask', key: `check:${id}:${bangkokDay(now)}`, payload: { chargeId: id }, now })
  }
  return [
    ...(list.isWhole ? [] : [`${gateway.name} gives a list that is not whole`]),
    ...strangers.map(
      ({ reference, amountSatang }) => `${reference}: ${formatBaht(amountSatang)} baht paid, not known here`,
    ),
    // What is missing from a list with gaps proves nothing.
    ...ours.flatMap(charge =>
      list.isWhole || told.has(charge.id) ? (differenceOf(charge, told.get(charge.id)) ?? []) : [],
    ),
  ]
}
