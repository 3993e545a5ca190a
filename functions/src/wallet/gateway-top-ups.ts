import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { enterGatewayTopUp } from '@shop/shared/wallet/top-up-charge.ts'
import * as contract from '@shop/shared/wallet/top-up-endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { type Context, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import { gatewayMethodsOnSale } from '../catalogue/on-sale.ts'
import type { Sql } from '../database/database.ts'
import { collect, type Due } from '../gateway/collecting.ts'
import { mustBeTaken, offeredMethod } from '../gateway/methods.ts'
import { findNewestCharge } from '../gateway/store.ts'
import { viewCharge, viewPayable } from '../gateway/view.ts'
import { runOnce } from '../http/idempotency.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { ownWalletId, takeTopUpLimit } from './handlers.ts'
import { lockWallet } from './store.ts'
import { lockChargedTopUp } from './top-up-charge.ts'
import { findAskedSatang, findChargedTopUp, lockTopUp } from './top-up-store.ts'
import { insertNumbered, newTopUpNo } from './top-ups.ts'

/** Top-ups of the caller's own wallet through the payment gateway. */

async function add(context: Context, body: ParsedInput<typeof contract.addGatewayTopUp>['body']) {
  const { shop, now } = context
  const { amountSatang, method: payment } = body
  const walletId = ownWalletId(context)
  const catalogue = await shop.catalogue.latest()
  const save = async (tx: Sql) => {
    await mustTakeOrders(tx)
    const wallet = await lockWallet(tx, walletId)
    mustBeTaken(offeredMethod(shop.gateway, catalogue, payment, now).limits, amountSatang)
    const draft = {
      id: uuidv7(),
      no: newTopUpNo(now),
      walletId,
      ownerUid: personOf(context).uid,
      amountSatang,
      payment,
    }
    const limits = { ...wallet, askedSatang: await findAskedSatang(tx, walletId) }
    const { PAYMENT_TIME_LIMIT } = catalogue.options
    const { id, no } = await insertNumbered(tx, enterGatewayTopUp(draft, limits, PAYMENT_TIME_LIMIT, now), now)
    return { id, no }
  }
  return runOnce(shop.db, mustBeOnce(context), now, save, () => takeTopUpLimit(context))
}

/** @throws NOT_FOUND */
async function findOwn(context: Context, id: string) {
  const topUp = await findChargedTopUp(context.shop.db, id)
  if (topUp?.ownerUid !== personOf(context).uid) throw new AppError('NOT_FOUND')
  return topUp
}

async function view(context: Context, topUpId: string) {
  const topUp = await findOwn(context, topUpId)
  const { id, no, status, amountSatang, payment, charge, createdAt, expiresAt, balanceSatang } = topUp
  if (payment === 'bank' || !expiresAt) throw new AppError('NOT_FOUND')
  return {
    id,
    no,
    status,
    amountSatang,
    method: payment,
    charge: charge && viewCharge(charge),
    createdDate: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    balanceSatang,
    nowDate: context.now.toISOString(),
  }
}

/** @throws NOT_FOUND, TOP_UP_NOT_WAITING */
async function lockDue(tx: Sql, context: Context, id: string): Promise<Due> {
  const topUp = await lockTopUp(tx, id)
  if (topUp?.ownerUid !== personOf(context).uid || topUp.payment === 'bank') throw new AppError('NOT_FOUND')
  const { payment, status, amountSatang, expiresAt } = topUp
  if (status !== 'waiting_payment' || !expiresAt || expiresAt <= context.now)
    throw new AppError('TOP_UP_NOT_WAITING', { details: { status } })
  return { owner: { topUpId: id }, payment, amountSatang, expiresAt, byLink: false }
}

async function charge(
  context: Context,
  { id, method }: { id: string } & Pick<Parameters<typeof collect>[1], 'method'>,
) {
  const { no } = await findOwn(context, id)
  return collect(context, {
    method,
    no,
    page: `/wallet/topup/${id}`,
    lock: tx => lockDue(tx, context, id),
    owners: { topUp: lockChargedTopUp },
  })
}

async function viewNewest(context: Context, id: string) {
  await findOwn(context, id)
  const newest = await findNewestCharge(context.shop.db, { topUpId: id }, { byLink: false })
  return newest && viewPayable(newest)
}

export const gatewayTopUpRoutes: Route[] = [
  route(contract.listTopUpMethods, async (_, { shop }) =>
    gatewayMethodsOnSale(await shop.catalogue.latest(), shop.gateway),
  ),
  route(contract.addGatewayTopUp, ({ body }, context) => add(context, body)),
  route(contract.getGatewayTopUp, ({ params }, context) => view(context, params.id)),
  route(contract.chargeTopUp, ({ params: { id }, body: { method } }, context) => charge(context, { id, method })),
  route(contract.getTopUpCharge, ({ params }, context) => viewNewest(context, params.id)),
]
