import { arrange, movesOf, type SeenOrder, type ShownOrder, stretchOf } from '@shop/shared/catalogue/arrange.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import * as store from './arrangement-store.ts'

interface Arrangement {
  table: store.Arranged
  gameId?: number
  order: { id: number; no: number }[]
  seen: SeenOrder
  action: 'game.reorder' | 'package.reorder' | 'banner.reorder'
  notFound: 'GAME_NOT_FOUND' | 'PACKAGE_NOT_FOUND' | 'NOT_FOUND'
}

/** The most rows of a stretch that a conflict carries. */
const MOST_SHOWN = 1000

/** Puts rows in a new order. @throws CONFLICT with the `ShownOrder` that is there now, unless it is the one that was seen */
export async function reorder(
  change: CatalogueChange,
  { table, gameId, order, seen, action, notFound }: Arrangement,
): Promise<void> {
  const current = await store.findOrderOf(change.tx, table, gameId)
  const nameOf = new Map(current.map(({ id, name }) => [id, name]))
  if (order.some(({ id }) => !nameOf.has(id))) throw new AppError(notFound)
  const rows = stretchOf(current, seen)
  const isSeen = rows.length === seen.ids.length && rows.every(({ id }, index) => id === seen.ids[index])
  if (!isSeen || current.length !== seen.total) {
    const shown: ShownOrder = { rows: rows.slice(0, MOST_SHOWN), firstNo: seen.firstNo, total: current.length }
    throw new AppError('CONFLICT', { details: { current: shown } })
  }
  const ids = current.map(({ id }) => id)
  const arranged = arrange(ids, order)
  await store.saveOrderOf(change.tx, table, arranged)
  const moves = movesOf(ids, arranged)
  const places = (place: 'from' | 'to') =>
    Object.fromEntries(moves.map(move => [`${nameOf.get(move.id)} (${move.id})`, move[place]]))
  const subject = gameId === undefined ? `${table}:order` : `${table}:order-of-game-${gameId}`
  await change.audit({ action, subject, before: places('from'), after: places('to') })
}
