import * as contract from '@shop/shared/mail/endpoints.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import { findUnsent, takeForResending } from './store.ts'

async function resend(context: Context, ids: readonly string[]) {
  const by = personOf(context)
  return context.shop.db.transaction(async tx => {
    const taken = await takeForResending(tx, ids, by.now)
    for (const { id, reason } of taken) {
      const sides = { before: { state: 'dead', reason }, after: { state: 'waiting' } }
      await audit(tx, by, { action: 'mail.resend', subject: `mailMessage:${id}`, ...sides })
    }
    return { resent: taken.length }
  })
}

export const mailRoutes: Route[] = [
  route(contract.getMail, async (_, { shop }) => ({
    isOn: shop.mail !== null,
    unsent: (await findUnsent(shop.db)).map(inJson),
  })),
  route(contract.resendMails, ({ body }, context) => resend(context, body.ids)),
]
