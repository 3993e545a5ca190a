import { type PlayerFormat, playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import type { ReplyInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import {
  findPlayPackage,
  nextPlay,
  PLAY_GAME,
  PLAY_MONEY_SATANG,
  PLAY_MOST_PIECES,
  PLAY_PACKAGES,
  PLAY_UNKNOWN_PLAYER,
} from '@shop/shared/reseller/play.ts'
import { mustBeWithin } from '@shop/shared/reseller/reseller.ts'
import type * as v1 from '@shop/shared/reseller/v1-endpoints.ts'
import type { ApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Context } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { newOrderNo } from '../order/placing/placing.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import { enqueue } from '../outbox/outbox.ts'
import { emitTest, isToldStatus } from '../webhook/emit.ts'
import { orderPlace, readCursor, writeCursor } from './cursor.ts'
import { type ApiOrderBody, type Desk, hashApiOrder, machineOf, type OrderName } from './desk.ts'
import { findSpent } from './order-store.ts'
import * as store from './play-store.ts'
import { reasonOf } from './view.ts'

/** The test mode of the API. It touches no order, wallet or book of the shop. */

const FORMAT: PlayerFormat = { kind: 'digits', min: PLAY_GAME.min, max: PLAY_GAME.max }

export const playGames = (): ReplyInput<typeof v1.listApiGames> => ({
  games: [
    {
      code: PLAY_GAME.code,
      name: PLAY_GAME.name,
      picture: null,
      fields: [{ name: 'playerId', label: PLAY_GAME.label, format: FORMAT }],
      checksPlayer: true,
      usualMinutes: { from: 1, to: 1 },
    },
  ],
})

function mustBePlayGame(code: string | undefined): void {
  if (code !== undefined && code !== PLAY_GAME.code) throw new AppError('GAME_NOT_FOUND')
}

/** @throws GAME_NOT_FOUND */
export function playPackages(game: string | undefined): ReplyInput<typeof v1.listApiPackages> {
  mustBePlayGame(game)
  return {
    packages: PLAY_PACKAGES.map(({ id, name, description, delivers, priceSatang }) => ({
      id,
      game: PLAY_GAME.code,
      name,
      description,
      delivers,
      price: priceSatang,
      isAvailable: true,
      stock: delivers === 'code' ? PLAY_MOST_PIECES : null,
      warning: '',
    })),
  }
}

/** @throws PLAYER_FIELD_REQUIRED, PLAYER_NOT_FOUND */
function playerNameOf(playerId = ''): string {
  const problem = playerFormatProblem(FORMAT, playerId)
  if (problem)
    throw new AppError('PLAYER_FIELD_REQUIRED', { values: { field: PLAY_GAME.label }, fields: { playerId: problem } })
  if (playerId === PLAY_UNKNOWN_PLAYER) throw new AppError('PLAYER_NOT_FOUND')
  return `Tester ${playerId}`
}

const checkPlayer: Desk['checkPlayer'] = async (_, { game, playerId }) => {
  mustBePlayGame(game)
  return { isChecked: true, playerName: playerNameOf(playerId) }
}

const wallet: Desk['wallet'] = async context => {
  const { shop, now } = context
  const { key, uid } = machineOf(context)
  const balance = await shop.db.transaction(tx => store.lockPlayWallet(tx, uid, now))
  return {
    balance,
    currency: 'THB',
    maxPerOrder: PLAY_MONEY_SATANG,
    maxQuantity: PLAY_MOST_PIECES,
    key: {
      id: key.id,
      mode: key.mode,
      dailyLimit: key.dailyLimitSatang,
      spentToday: await findSpent(shop.db, key.id, bangkokDay(now)),
    },
  }
}

const entries: Desk['entries'] = async (context, { cursor, limit }) => {
  const { shop, now } = context
  const { uid } = machineOf(context)
  const after = readCursor(cursor, orderPlace)?.id ?? null
  await shop.db.transaction(tx => store.lockPlayWallet(tx, uid, now))
  const rows = await store.findPlayEntries(shop.db, uid, { after, limit })
  return {
    entries: rows.map(({ id, at, amountSatang, balanceSatang, orderNo, ref }) => ({
      id,
      at: at.toISOString(),
      kind: orderNo === null ? 'top_up' : amountSatang < 0 ? 'order' : 'refund',
      amount: amountSatang,
      balance: balanceSatang,
      orderId: orderNo,
      ref,
    })),
    nextCursor: rows.length === limit ? writeCursor({ id: rows.at(-1)!.id }) : null,
  }
}

function view(order: store.PlayOrder): ApiOrder {
  const sold = findPlayPackage(order.packageId)
  invariant(sold, 'play orders are of play packages')
  const { status, quantity, delivered, refundedSatang } = order
  return {
    id: order.no,
    ref: order.ref,
    mode: 'test',
    status,
    game: PLAY_GAME.code,
    packageId: order.packageId,
    packageName: sold.name,
    playerId: order.playerId,
    playerName: order.playerId && playerNameOf(order.playerId),
    quantity,
    delivered,
    price: order.priceSatang,
    refunded: refundedSatang,
    codes: sold.delivers === 'code' ? delivered : 0,
    reason: reasonOf(status, status === 'completed' && delivered < quantity, null),
    createdAt: order.createdAt.toISOString(),
    endedAt: order.endedAt?.toISOString() ?? null,
  }
}

async function find(context: Context, by: OrderName) {
  const order = await store.findPlayOrder(context.shop.db, machineOf(context).uid, by)
  if (!order) throw new AppError('ORDER_NOT_FOUND')
  return view(order)
}

const list: Desk['list'] = async (context, { cursor, limit, status, packageId }) => {
  const after = readCursor(cursor, orderPlace)?.id ?? null
  const rows = await store.findPlayOrders(context.shop.db, machineOf(context).uid, { status, packageId, after, limit })
  return { orders: rows.map(view), nextCursor: rows.length === limit ? writeCursor({ id: rows.at(-1)!.id }) : null }
}

/** Returns what an order costs and whom it is for. @throws PACKAGE_NOT_FOUND, QUANTITY_OVER_TIER_LIMIT, PLAYER_… */
function quotePlay({ packageId, quantity, playerId }: ApiOrderBody) {
  const sold = findPlayPackage(packageId)
  if (!sold) throw new AppError('PACKAGE_NOT_FOUND')
  if (quantity > PLAY_MOST_PIECES) throw new AppError('QUANTITY_OVER_TIER_LIMIT', { values: { n: PLAY_MOST_PIECES } })
  if (sold.delivers === 'top_up') playerNameOf(playerId)
  return { sold, priceSatang: sold.priceSatang * quantity, playerId: sold.delivers === 'top_up' ? playerId! : null }
}

/** Places an order for play money; the same rules as for money decide what may be spent. */
export async function placePlay(context: Context, body: ApiOrderBody): Promise<ApiOrder> {
  const { shop, now } = context
  const { key, uid } = machineOf(context)
  const requestHash = hashApiOrder(body)
  await shop.limits.take('apiOrdersPerKey', key.id)
  return shop.db.transaction(async tx => {
    // The lock makes repeats of the same moment come one after the other.
    const balance = await store.lockPlayWallet(tx, uid, now)
    const before = await store.findPlayOrder(tx, uid, { ref: body.ref })
    if (before && before.requestHash !== requestHash) throw new AppError('REF_REUSED')
    if (before) return view(before)
    const { sold, priceSatang, playerId } = quotePlay(body)
    const spent = await store.spendPlay(tx, { keyId: key.id, day: bangkokDay(now), priceSatang })
    mustBeWithin({ ...key, maxPriceSatang: body.maxPrice ?? null }, priceSatang, spent)
    if (priceSatang > balance) throw new AppError('WALLET_BALANCE_TOO_LOW')
    const { packageId, quantity, ref } = body
    const order = { id: uuidv7(), no: `TEST-${newOrderNo(now)}`, uid, ref, requestHash, packageId, playerId, quantity }
    await store.insertPlayOrder(tx, { ...order, priceSatang, status: 'waiting', createdAt: now })
    await store.movePlay(tx, { uid, orderId: order.id, amountSatang: -priceSatang, now })
    await plan(tx, order.id, sold.way[0]?.afterSeconds, 0, now)
    const placed = await store.findPlayOrder(tx, uid, { id: order.id })
    return view(placed!)
  })
}

/** Plans an order's next step. */
async function plan(tx: Sql, orderId: string, seconds: number | undefined, step: number, now: Date): Promise<void> {
  if (seconds === undefined) return
  const job = { kind: 'play.step', key: `${orderId}:${step}`, payload: { orderId } } as const
  await enqueue(tx, { ...job, now, dueAt: addSeconds(now, seconds) })
}

/** Saves what has become of an order, with the play money that goes back. */
async function move(
  tx: Sql,
  order: store.PlayOrder,
  to: Pick<store.PlayOrder, 'status' | 'step' | 'delivered' | 'refundedSatang'>,
  endedAt: Date | null,
  now: Date,
): Promise<void> {
  const back = to.refundedSatang - order.refundedSatang
  await store.lockPlayWallet(tx, order.uid, now)
  await store.savePlayProgress(tx, order.id, { ...to, endedAt })
  const { no: id, uid, ref, quantity } = order
  const { status } = to
  const hooked = { uid, mode: 'test', now } as const
  if (isToldStatus(status))
    await emitTest(tx, { ...hooked, type: `order.${status}`, data: { id, ref, status, quantity } })
  if (back === 0) return
  const { entryId, balance } = await store.movePlay(tx, { uid, orderId: order.id, amountSatang: back, now })
  await emitTest(tx, { ...hooked, type: 'wallet.credited', data: { entryId, kind: 'refund', amount: back, balance } })
}

async function cancel(context: Context, orderNo: string): Promise<ApiOrder> {
  const { shop, now } = context
  const { uid } = machineOf(context)
  await shop.db.transaction(async tx => {
    await store.lockPlayWallet(tx, uid, now)
    const order = await store.findPlayOrder(tx, uid, { orderNo }, true)
    if (!order) throw new AppError('ORDER_NOT_FOUND')
    if (order.status === 'canceled') return
    if (order.status !== 'waiting') throw new AppError('ORDER_BEGUN')
    const { priceSatang: refundedSatang } = order
    await move(tx, order, { status: 'canceled', step: order.step, delivered: 0, refundedSatang }, now, now)
  })
  return find(context, { orderNo })
}

const codes: Desk['codes'] = async (context, orderNo) => {
  const order = await store.findPlayOrder(context.shop.db, machineOf(context).uid, { orderNo })
  if (!order) throw new AppError('ORDER_NOT_FOUND')
  const { codes: pieces } = view(order)
  if (pieces === 0) throw new AppError('CODES_NOT_SHOWN')
  const code = (nth: number) => `TEST-${order.id.slice(-12).toUpperCase()}-${String(nth + 1).padStart(3, '0')}`
  return {
    codes: Array.from({ length: pieces }, (_, nth) => ({
      code: code(nth),
      pin: null,
      serial: null,
      expiresOn: null,
      region: '',
    })),
    redeemHelp: 'Made up: nobody takes these codes',
  }
}

export const play: Desk = { checkPlayer, wallet, entries, find, list, cancel, codes }

/** Takes a play order one step further on the way of its package, unless its caller canceled it. */
export const playStepHandler: OutboxHandler<'play.step'> = {
  concurrency: 4,
  lockSeconds: 30,
  mostFaults: 5,
  run:
    async (shop, { orderId }) =>
    async tx => {
      const now = shop.now()
      const before = await store.findPlayOrder(tx, null, { id: orderId })
      if (!before) return { to: 'done' }
      await store.lockPlayWallet(tx, before.uid, now)
      const order = await store.findPlayOrder(tx, null, { id: orderId }, true)
      const next = order && order.status !== 'canceled' ? nextPlay(order) : null
      if (!order || !next) return { to: 'done' }
      const { isOver, ...to } = next
      await move(tx, order, to, isOver || to.status === 'on_hold' ? now : null, now)
      await plan(tx, orderId, findPlayPackage(order.packageId)?.way[to.step]?.afterSeconds, to.step, now)
      return { to: 'done' }
    },
}
