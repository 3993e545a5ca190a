import { AppError } from '@shop/shared/errors.ts'
import { closeLostPurchase, closeLostSlip, getLost } from '@shop/shared/restore/endpoints.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { findSafeMode } from '../outbox/safe-mode.ts'
import { closeSlip, findLostLines, findLostSlips } from './lost-hours.ts'
import { closePurchase, findLostPurchases } from './lost-purchases.ts'

async function viewLost({ shop: { db } }: Context) {
  const { lostFrom: from, noticedAt: to } = await findSafeMode(db)
  const [lines, slips, purchases] = await Promise.all([
    from && to ? findLostLines(db, { from, to }) : [],
    findLostSlips(db),
    findLostPurchases(db),
  ])
  return {
    ...inJson({ from, to }),
    lines: lines.map(line => inJson(line)),
    slips: slips.map(slip => inJson(slip)),
    purchases: purchases.map(purchase => inJson(purchase)),
  }
}

/** How a case of each kind is closed. */
const CLOSE = { lostSlip: closeSlip, lostPurchase: closePurchase } as const

async function close(context: Context, kind: keyof typeof CLOSE, id: string, reason: string) {
  const person = personOf(context)
  return context.shop.db.transaction(async tx => {
    if (!(await CLOSE[kind](tx, id, { by: person.uid, reason, now: person.now }))) throw new AppError('NOT_FOUND')
    await audit(tx, person, { action: `${kind}.close`, subject: `${kind}:${id}`, before: null, after: { reason } })
    return { id }
  })
}

export const restoreRoutes: Route[] = [
  route(getLost, (_, context) => viewLost(context)),
  route(closeLostSlip, ({ params, body }, context) => close(context, 'lostSlip', params.id, body.reason)),
  route(closeLostPurchase, ({ params, body }, context) => close(context, 'lostPurchase', params.id, body.reason)),
]
