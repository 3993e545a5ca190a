import { maskAddress, type OrderCodes, openingOf, showsCodes } from '@shop/shared/order/codes.ts'
import { isOwner } from '../account/caller.ts'
import type { Context } from '../call/route.ts'
import type { OrderRecord } from './store.ts'

/** Who looks at an order, as far as its codes ask. */
interface CodeViewer {
  isBuyer: boolean
  hasPin: boolean
  isOfGuest: boolean
}

/** Tells how a caller stands to the codes of an order. What a wallet paid opens by the wallet's PIN, whoever's it is. */
export const codeViewerOf = (
  context: Pick<Context, 'caller' | 'uid' | 'guestHash'>,
  { order, buyerKey }: { order: Pick<OrderRecord['order'], 'payment'>; buyerKey: string },
): CodeViewer => ({
  isBuyer: isOwner(context, buyerKey),
  hasPin: context.caller === 'agent' || order.payment === 'wallet',
  isOfGuest: buyerKey.startsWith('g:'),
})

const isOfCodes = ({ delivers, codes }: OrderRecord): boolean => delivers === 'code' || codes.length > 0

const instantOf = (text: string | null) => text && new Date(text).toISOString()

/** Returns what an order's page knows of its codes; null where it has none to show. */
export function viewCodes(record: OrderRecord, viewer: CodeViewer, sendsMail: boolean): OrderCodes | null {
  const { order, codes, codeAddress } = record
  if (!isOfCodes(record) || !showsCodes(order.status)) return null
  const { isBuyer, isOfGuest } = viewer
  return {
    opening: openingOf({ ...viewer, hasAddress: codeAddress !== null && sendsMail }),
    address: codeAddress && (isBuyer ? codeAddress : maskAddress(codeAddress)),
    canGiveAddress: isBuyer && isOfGuest && sendsMail,
    rows: codes.map(({ id, revealedAt, revealedOn }) => ({
      id,
      revealedAt: isBuyer ? instantOf(revealedAt) : null,
      revealedOn: isBuyer ? revealedOn : null,
    })),
  }
}
