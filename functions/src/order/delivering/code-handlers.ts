import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { isNumberOpen, maskAddress, OPENING_TRIES, openingOf, showsCodes } from '@shop/shared/order/codes.ts'
import { numberLetter } from '@shop/shared/voucher/number-letter.ts'
import * as contract from '@shop/shared/voucher/reveal-endpoints.ts'
import { checkPin, newNumber } from '../../access/pin.ts'
import { type Context, limitKey, personOf, type Route, route } from '../../call/route.ts'
import type { Sql } from '../../database/database.ts'
import { mustTakeOrders } from '../../outbox/safe-mode.ts'
import type { Shop } from '../../shop/shop.ts'
import * as store from '../../voucher/reveal-store.ts'
import { codeViewerOf, viewCodes } from '../code-view.ts'
import { mayFollow } from '../showing.ts'
import { findOrder, lockOrder } from '../store.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockOrder>>>
type Reveal = ParsedInput<typeof contract.revealCodes>['body']

/** Locks an order whose codes are shown, so that it is not refunded meanwhile. @throws ORDER_NOT_FOUND, CODES_NOT_SHOWN */
async function lockShown(tx: Sql, context: Context, orderNo: string): Promise<Locked> {
  const locked = await lockOrder(tx, { orderNo })
  if (!locked || !mayFollow(context, locked)) throw new AppError('ORDER_NOT_FOUND')
  if (!showsCodes(locked.order.status)) throw new AppError('CODES_NOT_SHOWN')
  return locked
}

/** Codes are sold only where they can be encrypted. */
export function keysOf({ vouchers }: Pick<Shop, 'vouchers'>) {
  invariant(vouchers, 'a shop that sold codes keeps VOUCHER_KEYS')
  return vouchers
}

/**
 * Tries the number that was sent by mail. A right one opens until its time is over, because the codes of an order may be
 * looked at one by one. Returns the refusal, which is thrown AFTER the commit so that a wrong try counts.
 */
async function tryNumber(tx: Sql, { shop, now }: Context, orderId: string, number: string | undefined) {
  if (!number) return new AppError('CODES_ELSEWHERE')
  const sent = await store.lockNumber(tx, orderId)
  if (!sent?.hash || !isNumberOpen(sent, now)) return new AppError('NUMBER_OVER')
  if (store.numberHashes(keysOf(shop), orderId, number).includes(sent.hash)) return null
  await store.countWrongNumber(tx, orderId)
  const left = OPENING_TRIES - sent.tries - 1
  return left > 0 ? new AppError('NUMBER_WRONG', { values: { n: left } }) : new AppError('NUMBER_OVER')
}

/** Lets the caller at the codes of an order, or returns why not; the try is stored either way. */
async function letOpen(tx: Sql, context: Context, locked: Locked, { pin, number }: Reveal): Promise<AppError | null> {
  const { shop } = context
  const address = await store.findCodeAddress(tx, locked.order.id)
  const viewer = { ...codeViewerOf(context, locked), hasAddress: address !== null && shop.mail !== null }
  const opening = openingOf(viewer)
  if (opening === 'press') return null
  if (opening === 'mail') return tryNumber(tx, context, locked.order.id, number)
  if (opening !== 'pin') return new AppError('CODES_ELSEWHERE')
  return pin ? checkPin(tx, shop.pins, personOf(context), pin) : new AppError('CODES_NEED_PIN')
}

async function reveal(context: Context, body: Reveal) {
  const { shop, now, device } = context
  await shop.limits.take('codesPerCaller', limitKey(context))
  const { packages } = await shop.catalogue.latest()
  const shown = await shop.db.transaction(async tx => {
    const locked = await lockShown(tx, context, body.orderNo)
    const refusal = await letOpen(tx, context, locked, body)
    if (refusal) return refusal
    const { id: orderId, packageId } = locked.order
    const found = await store.revealVouchers(tx, { orderId, ids: body.ids, device, now })
    if (found.length === 0) throw new AppError('CODES_NOT_SHOWN')
    const keys = keysOf(shop)
    const codes = await Promise.all(
      found.map(async ({ sealed, revealedAt, ...code }) => ({
        ...code,
        ...(await keys.open(code.id, sealed)),
        revealedAt: revealedAt.toISOString(),
      })),
    )
    return { codes, redeemHelp: packages.get(packageId)?.redeemHelp ?? '' }
  })
  if (shown instanceof AppError) throw shown
  return shown
}

/** Only the browser that bought may say where numbers go: whoever may, could open the codes anyway. */
async function giveAddress(context: Context, orderNo: string, address: string) {
  const { shop, now } = context
  await shop.limits.take('codesPerCaller', limitKey(context))
  await shop.db.transaction(async tx => {
    const locked = await lockShown(tx, context, orderNo)
    const { isBuyer, isOfGuest } = codeViewerOf(context, locked)
    if (!isBuyer || !isOfGuest || !shop.mail) throw new AppError('CODES_NOT_SHOWN')
    await store.saveCodeAddress(tx, locked.order.id, address, now)
  })
  const record = await findOrder(shop.db, { orderNo })
  return { codes: record && viewCodes(record, codeViewerOf(context, record), shop.mail !== null) }
}

/** Sends a number at once and keeps it nowhere: neither the outbox nor the table of mails has one that opens codes. */
async function sendNumber(context: Context, orderNo: string) {
  const { shop, now } = context
  const { mail } = shop
  const found = await findOrder(shop.db, { orderNo })
  if (!found || !mayFollow(context, found)) throw new AppError('ORDER_NOT_FOUND')
  const { order, snapshot, trackToken } = found
  await shop.limits.takeShared([
    { limit: 'codeNumbersPerCaller', key: limitKey(context) },
    { limit: 'codeNumbersPerOrder', key: order.id },
  ])
  await mustTakeOrders(shop.db)
  const number = newNumber()
  const address = await shop.db.transaction(async tx => {
    await lockShown(tx, context, orderNo)
    const address = await store.findCodeAddress(tx, order.id)
    if (!address || !mail) throw new AppError('CODES_ELSEWHERE')
    await store.saveNumber(tx, order.id, store.numberHashes(keysOf(shop), order.id, number)[0]!, now)
    return address
  })
  const goods = `${snapshot.gameName} · ${snapshot.packageName}`
  const url = `${shop.config.STOREFRONT_URL.replace(/\/$/, '')}/track/${trackToken}`
  const letter = numberLetter({ orderNo, goods, number, url })
  const sent = await mail!.send({ id: `${order.id}.${now.getTime()}`, to: address, date: now, ...letter })
  if (sent.kind !== 'accepted') throw new AppError('MAIL_NOT_SENT')
  return { sentTo: maskAddress(address) }
}

export const codeRoutes: Route[] = [
  route(contract.revealCodes, ({ body }, context) => reveal(context, body)),
  route(contract.giveCodeAddress, ({ params, body }, context) => giveAddress(context, params.orderNo, body.address)),
  route(contract.sendCodeNumber, ({ params }, context) => sendNumber(context, params.orderNo)),
]
