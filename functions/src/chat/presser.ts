import { uidOfLine } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { GUEST } from '../account/caller.ts'
import { findLineLink } from '../account/line-store.ts'
import { type Account, findAccount, personNameOf } from '../account/store.ts'
import type { Context } from '../call/route.ts'
import type { Shop } from '../shop/shop.ts'

/** A member of the staff who acts from a chat. */
export interface Presser {
  uid: string
  name: string
  /** The request context that the API's own commands need. */
  context: Context
}

/**
 * Returns the member of the staff with a LINE id, by their current account; null for everybody else. LINE vouches for
 * the phone, but there is no second factor, so from a chat everybody may do only what staff may do, whatever their
 * role. @throws ACCOUNT_INACTIVE
 */
export async function findPresser(shop: Shop, lineId: string): Promise<Presser | null> {
  const link = await findLineLink(shop.db, lineId)
  const account = await findAccount(shop.db, link?.uid ?? uidOfLine(lineId))
  if (!account || !can(account.role, 'order.work')) return null
  if (account.status === 'inactive') throw new AppError('ACCOUNT_INACTIVE')
  return { uid: account.uid, name: personNameOf(account), context: contextOf(shop, account) }
}

const contextOf = (shop: Shop, account: Account): Context => ({
  ...GUEST,
  caller: 'staff',
  uid: account.uid,
  account,
  shop,
  now: shop.now(),
  address: 'LINE',
  once: null,
  file: null,
  changeId: uuidv7(),
  device: 'LINE',
  secondBy: null,
})
