import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { may } from '../account/caller.ts'
import { findAcceptedTerms } from '../account/store.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { listOfBuyer } from '../order/finding/history.ts'
import { viewWallet } from '../wallet/handlers.ts'
import { viewCredit } from './handlers.ts'

/** What is the account's alone is told to its session. The browser's key of a guest opens none of it. */
async function viewBuyer(context: Context, gameCode: string) {
  const { shop, uid, account } = context
  const game = (await shop.catalogue.latest()).gamesByCode.get(gameCode)
  const [orders, wallet, credit, acceptedTerms] = await Promise.all([
    listOfBuyer(context, game?.id),
    account?.walletId && may(context, 'wallet.own') ? viewWallet(context) : null,
    may(context, 'credit.own') ? viewCredit(context) : null,
    uid ? findAcceptedTerms(shop.db, `u:${uid}`) : null,
  ])
  return { ...orders, wallet, credit, acceptedTerms }
}

export const buyerRoutes: Route[] = [route(getBuyer, ({ params }, context) => viewBuyer(context, params.gameCode))]
