import { mayTakeCredit } from '@shop/shared/credit/credit.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import { isOwner } from '../account/caller.ts'
import type { Context } from '../call/route.ts'
import { findPayers } from '../transfer/payer-store.ts'
import { codeViewerOf, viewCodes } from './code-view.ts'
import { findOrder, type OrderRecord } from './store.ts'
import { customerView, refundsOf } from './view.ts'

export const actorOf = ({ uid, caller }: Context): Actor => ({ uid, role: caller })

/** Tells whether the caller may see an order and pay it: as its buyer, or by its tracking link. */
export function mayFollow(context: Context, order: { buyerKey: string; trackToken: string }): boolean {
  return isOwner(context, order.buyerKey) || context.trackToken === order.trackToken
}

/** Returns the moment of a call and the hours by which its answer tells when goods are expected. */
export async function clockOf({ shop, now }: Context) {
  const { options } = await shop.catalogue.latest()
  return {
    openingHours: options.OPENING_HOURS,
    isHolding: shop.catalogue.isHolding(),
    givesCredit: options.SHOP_CREDIT,
    now,
  }
}

export async function viewerOf(context: Context, record: OrderRecord) {
  const { account, shop } = context
  const viewer = codeViewerOf(context, record)
  const owed = viewer.isBuyer ? refundsOf(record).filter(({ sentAt }) => sentAt === null) : []
  return {
    isBuyer: viewer.isBuyer,
    getsMail: shop.mail !== null,
    codes: viewCodes(record, viewer, shop.mail !== null),
    mayTakeCredit: account ? mayTakeCredit(record.order, account) : record.order.buyerUid === null,
    payers:
      owed.length === 0
        ? new Map()
        : await findPayers(
            shop.db,
            owed.map(({ id }) => id),
          ),
  }
}

export async function show(context: Context, record: OrderRecord) {
  const viewer = await viewerOf(context, record)
  return customerView(record, { ...viewer, byLink: !viewer.isBuyer }, await clockOf(context))
}

export async function viewOrder(context: Context, orderNo: string) {
  const record = await findOrder(context.shop.db, { orderNo })
  if (!record || !mayFollow(context, record)) throw new AppError('ORDER_NOT_FOUND')
  return show(context, record)
}
