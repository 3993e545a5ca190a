import * as contract from '@shop/shared/mail/endpoints.ts'
import { insertAudit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { findUnsent, takeForResending } from './store.ts'

async function resend(context: Context, ids: readonly string[]) {
  const { uid, role, now } = personOf(context)
  return context.shop.db.transaction(async tx => {
    const taken = await takeForResending(tx, ids, now)
    for (const { id, reason } of taken) {
      const write = { action: 'mail.resend', subject: `mailMessage:${id}` } as const
      const sides = { before: { state: 'dead', reason }, after: { state: 'waiting' } }
      await insertAudit(tx, { ...write, ...sides, actorUid: uid, actorRole: role, at: now })
    }
    return { resent: taken.length }
  })
}

export const mailRoutes: Route[] = [
  route(contract.getMail, async (_, { shop }) => ({
    isOn: shop.mail !== null,
    unsent: (await findUnsent(shop.db)).map(({ createdAt, ...mail }) => ({
      ...mail,
      createdAt: createdAt.toISOString(),
    })),
  })),
  route(contract.resendMails, ({ body }, context) => resend(context, body.ids)),
]
