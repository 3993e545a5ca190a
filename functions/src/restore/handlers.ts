import { AppError } from '@shop/shared/errors.ts'
import { closeLostSlip, getLost } from '@shop/shared/restore/endpoints.ts'
import { audit } from '../audit/store.ts'
import { inJson } from '../http/in-json.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { findSafeMode } from '../outbox/safe-mode.ts'
import { closeSlip, findLostLines, findLostSlips } from './lost-hours.ts'

async function viewLost({ shop: { db } }: Context) {
  const { lostFrom: from, noticedAt: to } = await findSafeMode(db)
  const [lines, slips] = await Promise.all([from && to ? findLostLines(db, { from, to }) : [], findLostSlips(db)])
  return { ...inJson({ from, to }), lines: lines.map(line => inJson(line)), slips: slips.map(slip => inJson(slip)) }
}

async function close(context: Context, id: string, reason: string) {
  const person = personOf(context)
  return context.shop.db.transaction(async tx => {
    if (!(await closeSlip(tx, id, { by: person.uid, reason, now: person.now }))) throw new AppError('NOT_FOUND')
    await audit(tx, person, { action: 'lostSlip.close', subject: `lostSlip:${id}`, before: null, after: { reason } })
    return { id }
  })
}

export const restoreRoutes: Route[] = [
  route(getLost, (_, context) => viewLost(context)),
  route(closeLostSlip, ({ params, body }, context) => close(context, params.id, body.reason)),
]
