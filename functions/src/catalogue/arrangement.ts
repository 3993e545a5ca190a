import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import { arrange, movesOf, type SeenOrder, type ShownOrder, stretchOf } from '@shop/shared/catalogue/arrange.ts'
import { AppError } from '@shop/shared/errors.ts'
import { findLastWriter } from '../audit/store.ts'
import type { CatalogueChange } from '../settings/catalogue-change.ts'
import * as store from './arrangement-store.ts'

/** A list that staff put in order: all rows of a table, or the packages of one game. */
interface Arrangement {
  table: store.Arranged
  gameId?: number
}
type Places = readonly { id: number; no: number }[]

const subjectOf = ({ table, gameId }: Arrangement): AuditSubject => `${table}Order:${gameId ?? 'all'}`

/** Returns the key under which the audit log stores a moved row's place: its name and id. */
const keyOf = ({ id, name }: { id: number; name: string }) => `${name} (${id})`
const idOf = (key: string) => Number(/\((\d+)\)$/.exec(key)?.[1])

async function writeOrder(
  change: CatalogueChange,
  what: Arrangement,
  wanted: Places,
  action: 'game.reorder' | 'package.reorder' | 'banner.reorder' | 'change.undo',
): Promise<void> {
  const current = await store.findOrderOf(change.tx, what.table, what.gameId)
  const rowOf = new Map(current.map(row => [row.id, row]))
  const ids = current.map(({ id }) => id)
  const arranged = arrange(ids, wanted)
  await store.saveOrderOf(change.tx, what.table, arranged)
  const moves = movesOf(ids, arranged)
  const places = (place: 'from' | 'to') =>
    Object.fromEntries(moves.map(move => [keyOf(rowOf.get(move.id)!), move[place]]))
  await change.audit({ action, subject: subjectOf(what), before: places('from'), after: places('to') })
}

interface NewOrder extends Arrangement {
  order: { id: number; no: number }[]
  seen: SeenOrder
  action: 'game.reorder' | 'package.reorder' | 'banner.reorder'
  notFound: 'GAME_NOT_FOUND' | 'PACKAGE_NOT_FOUND' | 'NOT_FOUND'
}

/** The largest number of rows that a conflict answer carries. */
const MOST_SHOWN = 1000

/**
 * Puts rows into a new order. @throws CONFLICT with the current `ShownOrder` and its author, unless the order has not
 * changed since the caller saw it
 */
export async function reorder(
  change: CatalogueChange,
  { order, seen, action, notFound, ...what }: NewOrder,
): Promise<void> {
  const current = await store.findOrderOf(change.tx, what.table, what.gameId)
  const ids = new Set(current.map(({ id }) => id))
  if (order.some(({ id }) => !ids.has(id))) throw new AppError(notFound)
  const rows = stretchOf(current, seen)
  const isSeen = rows.length === seen.ids.length && rows.every(({ id }, index) => id === seen.ids[index])
  if (!isSeen || current.length !== seen.total) {
    const shown: ShownOrder = { rows: rows.slice(0, MOST_SHOWN), firstNo: seen.firstNo, total: current.length }
    const newest = current.map(({ id }): AuditSubject => `${what.table}:${id}`)
    const by = await findLastWriter(change.tx, subjectOf(what), newest)
    throw new AppError('CONFLICT', { details: { current: shown, by } })
  }
  await writeOrder(change, what, order, action)
}

/** Puts moved rows back into the places that the audit log recorded. */
export async function restoreOrder(
  change: CatalogueChange,
  what: Arrangement,
  places: Record<string, number>,
): Promise<void> {
  const wanted = Object.entries(places).map(([key, no]) => ({ id: idOf(key), no }))
  await writeOrder(change, what, wanted, 'change.undo')
}
