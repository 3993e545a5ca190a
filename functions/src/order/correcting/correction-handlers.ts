import { NO_PLAYER, type PlayerValues, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { isForPlayer, proposePlayer, redoOrder } from '@shop/shared/order/correction.ts'
import * as contract from '@shop/shared/order/correction-endpoints.ts'
import { amountOf } from '@shop/shared/order/order.ts'
import { type Player, playerInputsOf } from '@shop/shared/order/player.ts'
import { askRefund } from '@shop/shared/order/refund.ts'
import { authoriseForeign, isOwner } from '../../account/caller.ts'
import { audit } from '../../audit/store.ts'
import { type Context, limitKey, personOf, type Route, route } from '../../call/route.ts'
import { findManagedGame } from '../../catalogue/game-store.ts'
import { playerNameFor } from '../../catalogue/player-check.ts'
import type { Sql } from '../../database/database.ts'
import { mayHaveArrived } from '../../supplier/store.ts'
import { moveValue } from '../../value/moving.ts'
import { saveCodeAddress } from '../../voucher/reveal-store.ts'
import { saveRequest } from '../money-back-store.ts'
import { actorOf, viewOrder } from '../showing.ts'
import { findOrder, findOrderEvents, findProposedPlayer, lockOrder, saveOutcome } from '../store.ts'

interface Named {
  orderNo: string
}

/**
 * Returns the order and its game, for its buyer or for staff. A tracking link is not enough, because many people may
 * have it.
 */
async function mustFind(context: Context, orderNo: string) {
  const record = await findOrder(context.shop.db, { orderNo })
  if (!record) throw new AppError('ORDER_NOT_FOUND')
  if (!isOwner(context, record.buyerKey)) authoriseForeign(context, 'order.work', 'ORDER_NOT_FOUND')
  const game = await findManagedGame(context.shop.db, record.order.gameId, context.now)
  invariant(game, 'the game of an order exists')
  return { record, game }
}

/** Checks the typed player by the rules of a purchase. For codes there is none, whatever was typed. */
async function playerOf(context: Context, { orderNo, ...values }: Named & PlayerValues): Promise<Player> {
  const { shop } = context
  const { record, game } = await mustFind(context, orderNo)
  if (!isForPlayer(record.order)) return { playerId: NO_PLAYER, playerName: null, fields: [] }
  const fields = playerInputsOf(game, values)
  await shop.limits.take('lookupsPerCaller', limitKey(context))
  await shop.limits.take('lookupsPerAddress', context.address)
  const playerName = await playerNameFor(shop, await shop.catalogue.latest(), game, fields)
  return { playerId: values.playerId, playerName, fields }
}

async function propose(context: Context, asked: Named & PlayerValues) {
  const { shop, now } = context
  const player = await playerOf(context, asked)
  await shop.db.transaction(async tx => {
    const { order, snapshot } = await lockOwn(tx, context, asked.orderNo)
    const proposed = (await findOrderEvents(tx, order.id)).filter(({ kind }) => kind === 'player_proposed').length
    const actor = buyerActor(context)
    await saveOutcome(tx, proposePlayer(order, snapshot.fields, player, { actor, proposed }, now))
  })
  return viewOrder(context, asked.orderNo)
}

/** Locks an order of the caller's own. A tracking link is not enough, as for a proposal. @throws ORDER_NOT_FOUND */
async function lockOwn(tx: Sql, context: Context, orderNo: string) {
  const locked = await lockOrder(tx, { orderNo })
  if (!locked || !isOwner(context, locked.buyerKey)) throw new AppError('ORDER_NOT_FOUND')
  return locked
}

/** Here a member of the staff acts as a customer. */
const buyerActor = ({ uid }: Context) => ({ uid, role: uid ? ('customer' as const) : ('guest' as const) })

/** The buyer of a failed order wants the money; asking again changes nothing, so that nobody is told twice. */
async function ask(context: Context, orderNo: string) {
  const { shop, now } = context
  await shop.db.transaction(async tx => {
    const { order } = await lockOwn(tx, context, orderNo)
    const outcome = askRefund(order, buyerActor(context), now)
    if (await saveRequest(tx, order.id, now)) await saveOutcome(tx, outcome)
  })
  return viewOrder(context, orderNo)
}

/** A guest has no account through which they could be told of their failed order. */
async function giveAddress(context: Context, orderNo: string, address: string) {
  const { shop, now } = context
  await shop.limits.take('codesPerCaller', limitKey(context))
  await shop.db.transaction(async tx => {
    const { order } = await lockOwn(tx, context, orderNo)
    if (order.status !== 'failed' || order.buyerUid !== null || !shop.mail)
      throw new AppError('ORDER_STATUS_NOT_ALLOWED', { details: { status: order.status } })
    await saveCodeAddress(tx, order.id, address, now)
  })
  return viewOrder(context, orderNo)
}

type Redone = Named & PlayerValues & { reason?: string }

async function redo(context: Context, { reason, ...asked }: Redone) {
  const { shop, now } = context
  const player = await playerOf(context, asked)
  const by = personOf(context)
  return shop.db.transaction(async tx => {
    const locked = await lockOrder(tx, asked)
    if (!locked) throw new AppError('ORDER_NOT_FOUND')
    const { order, snapshot, buyerKey } = locked
    // An order that staff bought as a guest in this browser is their own, too.
    if (isOwner(context, buyerKey)) throw new AppError('OWN_ORDER')
    const known = {
      actor: actorOf(context),
      mayHaveArrived: await mayHaveArrived(tx, order.id),
      proposed: await findProposedPlayer(tx, order.id),
      reason: reason ?? null,
    }
    const outcome = redoOrder(order, snapshot.fields, player, known, now)
    if (outcome.event.kind === 'player_changed')
      await moveValue(tx, by, {
        kind: 'redoToOther',
        amountSatang: amountOf(order),
        subject: `order:${order.orderNo}`,
        note: `${order.orderNo} ${outcome.event.reason}`,
        owners: [buyerKey],
      })
    await saveOutcome(tx, outcome)
    await audit(tx, by, {
      action: 'order.redo',
      subject: `order:${order.orderNo}`,
      before: { status: order.status, playerId: order.playerId },
      after: { status: outcome.order.status, playerId: player.playerId, reason: outcome.event.reason },
    })
    return { orderNo: order.orderNo, status: outcome.order.status }
  })
}

export const correctionRoutes: Route[] = [
  route(contract.listPlayerFields, async ({ params }, context) => {
    const { record, game } = await mustFind(context, params.orderNo)
    return isForPlayer(record.order) ? playerFieldsOf(game) : []
  }),
  route(contract.proposePlayer, ({ params, body }, context) => propose(context, { ...body, ...params })),
  route(contract.askRefund, ({ params }, context) => ask(context, params.orderNo)),
  route(contract.giveNewsAddress, ({ params, body }, context) => giveAddress(context, params.orderNo, body.address)),
  route(contract.redoOrder, ({ body }, context) => redo(context, body)),
]
