import { arrange } from '@shop/shared/catalogue/arrange.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import * as store from './arrangement-store.ts'

interface Arrangement {
  table: store.Arranged
  gameId?: number
  wanted: { id: number; no: number }[]
  action: 'game.reorder' | 'package.reorder' | 'banner.reorder'
  notFound: 'GAME_NOT_FOUND' | 'PACKAGE_NOT_FOUND' | 'NOT_FOUND'
}

/** Puts rows in a new order. */
export async function reorder(
  change: CatalogueChange,
  { table, gameId, wanted, action, notFound }: Arrangement,
): Promise<void> {
  const current = await store.findOrderOf(change.tx, table, gameId)
  const nameOf = new Map(current.map(({ id, name }) => [id, name]))
  if (wanted.some(({ id }) => !nameOf.has(id))) throw new AppError(notFound)
  const ids = current.map(({ id }) => id)
  const arranged = arrange(ids, wanted)
  await store.saveOrderOf(change.tx, table, arranged)
  const moved = (order: number[]) =>
    Object.fromEntries(
      order.flatMap((id, index) => (ids[index] === arranged[index] ? [] : [[index + 1, nameOf.get(id) ?? '']])),
    )
  const subject = gameId === undefined ? `${table}:order` : `${table}:order-of-game-${gameId}`
  await change.audit({ action, subject, before: moved(ids), after: moved(arranged) })
}
