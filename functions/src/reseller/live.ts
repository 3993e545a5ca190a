import type { PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { showsCodes } from '@shop/shared/order/codes.ts'
import { playerInputsOf } from '@shop/shared/order/player.ts'
import { refundOrder } from '@shop/shared/order/refund.ts'
import { ENTRY_KIND, isUntouched } from '@shop/shared/reseller/reseller.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import type { Arrival, Context } from '../call/route.ts'
import { askPlayer, isPlayerChecked } from '../catalogue/player-check.ts'
import type { Sql } from '../database/database.ts'
import { keysOf } from '../order/delivering/code-handlers.ts'
import { buyerOf } from '../order/placing/handlers.ts'
import { type PlacedRequest, placeOrderOnce } from '../order/placing/placing.ts'
import { actorOf } from '../order/showing.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { mayHaveArrived } from '../supplier/store.ts'
import { revealVouchers } from '../voucher/reveal-store.ts'
import { countSold, refreshOut } from '../voucher/store.ts'
import { ownWallet, ownWalletId } from '../wallet/handlers.ts'
import { entryPlace, orderPlace, readCursor, writeCursor } from './cursor.ts'
import { type ApiOrderBody, type Desk, hashApiOrder, machineOf, type OrderName } from './desk.ts'
import * as store from './order-store.ts'
import { viewApiOrder } from './view.ts'

async function checkPlayer({ shop }: Context, { game: code, ...typed }: { game: string } & Partial<PlayerValues>) {
  const catalogue = await shop.catalogue.latest()
  const game = catalogue.gamesByCode.get(code)
  if (!game?.isActive) throw new AppError('GAME_NOT_FOUND')
  const fields = playerInputsOf(game, { playerId: '', ...typed }).map(({ value }) => value)
  const isAsked = isPlayerChecked(game, catalogue.options)
  const verdict = isAsked ? await askPlayer(shop, catalogue, game, fields) : ({ kind: 'unknown' } as const)
  if (verdict.kind === 'wrong') throw new AppError('PLAYER_NOT_FOUND')
  if (verdict.kind === 'unavailable') throw new AppError('PLAYER_LOOKUP_TIMED_OUT')
  return { isChecked: verdict.kind === 'found', playerName: verdict.kind === 'found' ? verdict.name : null }
}

async function wallet(context: Context) {
  const { shop, now } = context
  const { key } = machineOf(context)
  const [{ balanceSatang, maxAmountPerOrderSatang, maxItemPerOrder }, spentToday] = await Promise.all([
    ownWallet(context),
    store.findSpent(shop.db, key.id, bangkokDay(now)),
  ])
  return {
    balance: balanceSatang,
    currency: 'THB' as const,
    maxPerOrder: maxAmountPerOrderSatang,
    maxQuantity: maxItemPerOrder,
    key: { id: key.id, mode: key.mode, dailyLimit: key.dailyLimitSatang, spentToday },
  }
}

async function entries(context: Context, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
  const after = readCursor(cursor, entryPlace)
  const found = await store.findEntries(context.shop.db, ownWalletId(context), { after, limit })
  let balance = after?.balanceSatang ?? found.balanceSatang
  const rows = found.entries.map(({ id, at, kind, amountSatang, orderNo, ref }) => {
    const row = {
      id,
      at: new Date(at).toISOString(),
      kind: ENTRY_KIND[kind] ?? 'correction',
      amount: amountSatang,
      balance,
    }
    balance -= amountSatang
    return { ...row, orderId: orderNo, ref }
  })
  const last = found.entries.at(-1)
  const isMore = last && found.entries.length === limit
  return {
    entries: rows,
    nextCursor: isMore ? writeCursor({ at: last.at, id: last.id, balanceSatang: balance }) : null,
  }
}

async function find(context: Context, by: OrderName) {
  const placed = await store.findPlaced(context.shop.db, machineOf(context).uid, by)
  if (!placed) throw new AppError('ORDER_NOT_FOUND')
  return viewApiOrder(placed)
}

const list: Desk['list'] = async (context, { cursor, limit, status, packageId }) => {
  const after = readCursor(cursor, orderPlace)?.id ?? null
  const rows = await store.findPlacedList(context.shop.db, machineOf(context).uid, { status, packageId, after, limit })
  const isMore = rows.length === limit
  return { orders: rows.map(viewApiOrder), nextCursor: isMore ? writeCursor({ id: rows.at(-1)!.id }) : null }
}

/** Locks one of an agent's orders that a key placed. @throws ORDER_NOT_FOUND */
async function lockPlaced(tx: Sql, uid: string, orderNo: string) {
  const placed = await store.findPlaced(tx, uid, { orderNo })
  const locked = placed && (await lockOrder(tx, { id: placed.id }))
  if (!locked) throw new AppError('ORDER_NOT_FOUND')
  return locked
}

/**
 * Gives an order's money back while nobody has begun it. It is the caller's own money, which has bought nothing yet, so
 * nobody must agree.
 */
async function cancel(context: Context, orderNo: string) {
  const { shop, now } = context
  const { uid } = machineOf(context)
  await shop.db.transaction(async tx => {
    await mustTakeOrders(tx)
    const { order } = await lockPlaced(tx, uid, orderNo)
    const placed = await store.findPlaced(tx, uid, { orderNo })
    if (placed?.canceledAt) return
    const hasGoods = (await mayHaveArrived(tx, order.id)) || (await countSold(tx, order.id)) > 0
    if (!isUntouched(order) || hasGoods) throw new AppError('ORDER_BEGUN')
    await store.saveCanceled(tx, order.id, now)
    await saveOutcome(tx, refundOrder(order, actorOf(context), 'ผู้สั่งซื้อยกเลิกผ่าน API', now))
  })
  const placed = await store.findPlaced(shop.db, uid, { orderNo })
  invariant(placed, 'it was just canceled')
  // Its codes are on sale again.
  await refreshOut(shop.db, placed.packageId, bangkokDay(now))
  return viewApiOrder(placed)
}

async function codes(context: Context, orderNo: string) {
  const { shop, now } = context
  const { key, uid } = machineOf(context)
  const { packages: sold } = await shop.catalogue.latest()
  return shop.db.transaction(async tx => {
    const { order } = await lockPlaced(tx, uid, orderNo)
    const { id: orderId, packageId, status } = order
    const ids = showsCodes(status) ? await store.findSoldCodes(tx, orderId) : []
    if (ids.length === 0) throw new AppError('CODES_NOT_SHOWN')
    const found = await revealVouchers(tx, { orderId, ids, device: `API ${key.name}`, now })
    const keys = keysOf(shop)
    return {
      codes: found.map(({ id, sealed, expiresOn, region }) => ({ ...keys.open(id, sealed), expiresOn, region })),
      redeemHelp: sold.get(packageId)?.redeemHelp ?? '',
    }
  })
}

export const live: Desk = { checkPlayer, wallet, entries, find, list, cancel, codes }

/**
 * Places an order by the same flow as the storefront, with the key in the place of the PIN. Its account and what the key
 * has spent are read with the other facts of the purchase.
 */
export async function placeByKey(arrival: Arrival, body: ApiOrderBody) {
  const { shop, address, now } = arrival
  const { key, uid } = machineOf(arrival)
  const { ref, packageId, quantity, maxPrice, acceptedWarning, playerId = '', ...fields } = body
  const { packages: sold } = await shop.catalogue.latest()
  const request: PlacedRequest = {
    gameId: sold.get(packageId)?.gameId ?? 0,
    packageId,
    playerId,
    ...fields,
    payment: 'wallet',
    quantity,
    receivingAccountId: null,
    holdId: null,
    creditSatang: 0,
    termsVersion: '',
    acceptedWarning,
    typedPin: null,
    byKey: { keyId: key.id, maxPriceSatang: maxPrice ?? null, dailyLimitSatang: key.dailyLimitSatang },
  }
  const once = { scope: `u:${uid}`, key: ref, requestHash: hashApiOrder(body) }
  const visitor = {
    uid,
    token: null,
    address,
    key: `u:${uid}`,
    enter: (account: Context['account']) => buyerOf(arrival.enter(account)),
  }
  const { order, gameCode, snapshot, codes: had } = await placeOrderOnce(shop, visitor, request, once, now)
  // A repeat is told how far its order is by now.
  const grown = order.version > 1 ? await store.findPlaced(shop.db, uid, { ref }) : null
  if (grown) return viewApiOrder(grown)
  return viewApiOrder({
    ...order,
    ref,
    canceledAt: null,
    asked: order.quantity,
    askedSatang: order.priceSatang,
    gameCode,
    packageName: snapshot.packageName,
    codes: had.length,
  })
}
