import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import { may } from '../account/caller.ts'
import { findAcceptedTerms } from '../account/store.ts'
import { type Context, type Route, route } from '../call/route.ts'
import { listOwn, listRunning } from '../order/finding/history.ts'
import { viewWallet } from '../wallet/handlers.ts'
import { viewCredit } from './handlers.ts'

/** Deliveries among which the players of an account are looked for; a reseller's last ones name many players. */
const LOOKED_THROUGH = 30

/** What is the account's alone. The browser's key of a guest opens none of it. */
async function viewOwn(context: Context, gameCode: string) {
  const { shop, uid, account } = context
  if (!uid) return { wallet: null, credit: null, deliveries: [], acceptedTerms: null }
  const game = (await shop.catalogue.latest()).gamesByCode.get(gameCode)
  const delivered = { game: game && [game.id], status: ['success' as const], page: 1, pageSize: LOOKED_THROUGH }
  const [wallet, credit, deliveries, acceptedTerms] = await Promise.all([
    account?.walletId && may(context, 'wallet.own') ? viewWallet(context) : null,
    may(context, 'credit.own') ? viewCredit(context) : null,
    game ? listOwn(context, delivered).then(({ rows }) => rows) : [],
    findAcceptedTerms(shop.db, `u:${uid}`),
  ])
  return { wallet, credit, deliveries, acceptedTerms }
}

async function viewBuyer(context: Context, gameCode: string) {
  const [running, own] = await Promise.all([listRunning(context), viewOwn(context, gameCode)])
  return { running, ...own }
}

export const buyerRoutes: Route[] = [route(getBuyer, ({ params }, context) => viewBuyer(context, params.gameCode))]
