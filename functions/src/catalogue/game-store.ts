import { oldCodesAfter } from '@shop/shared/catalogue/catalogue.ts'
import { type AgreedPackage, isBelowCost } from '@shop/shared/catalogue/loss.ts'
import type { ManagedGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import { gameSaleOf, type SoldAs } from '@shop/shared/catalogue/sale-state.ts'
import { keysOf } from '@shop/shared/table.ts'
import { sql as drizzled, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { as, json, pick, type RowOf, row, sql, under } from '../database/sql.ts'
import {
  type CatalogueChange,
  type LastChange,
  lastChangeOf,
  type StoredLastChange,
  viewLastChange,
} from '../settings/catalogue-change.ts'
import { saveRow } from './arrangement-store.ts'
import { LARGEST_DISCOUNT, PRICES } from './package-store.ts'
import { game, gamePackage, gameTag } from './tables.ts'

/** The fields of a game that staff write. */
export type GameFields = Omit<ManagedGame, 'id' | 'no' | 'oldCodes' | 'packageCount' | 'sale' | keyof LastChange>

const [g, p] = [under(game, 'g'), under(gamePackage, 'p')]
const SAVED = lastChangeOf(g)
type Sold = Pick<SoldAs, 'isActive'> & AgreedPackage
const SOLD = json<Sold>({
  ...pick(p, 'isActive', 'costSatang', 'agreedLossSatang'),
  prices: PRICES,
  discountSatang: LARGEST_DISCOUNT,
})
const GAME = row<Omit<ManagedGame, 'packageCount' | 'sale' | 'updatedAt'> & StoredLastChange & { packages: Sold[] }>({
  ...pick(g, 'id', 'code', 'name', 'qmsGameId', 'picture', 'searchWords', 'regions', 'languages', 'platforms'),
  ...pick(g, 'oldCodes', 'fieldsOn', 'fieldLabels', 'fieldFormats', 'playerHint', 'playerHintPicture'),
  ...pick(g, 'playerChecks', 'isActive'),
  no: g.position,
  desc: g.description,
  usualMinutes: json<ManagedGame['usualMinutes']>({ from: g.usualMinutesFrom, to: g.usualMinutesTo }),
  packages: as.shape<Sold[]>(`(SELECT coalesce(json_agg(${SOLD}), '[]') FROM ${p} WHERE ${p.gameId} = ${g.id})`),
  ...SAVED.fields,
})
const GAMES = sql`SELECT ${GAME}
  FROM ${g} ${SAVED.join}`
type GameRow = RowOf<typeof GAMES>

function viewGame({ packages, ...row }: GameRow, now: Date): ManagedGame {
  const sold = packages.map(each => ({ ...each, isBelowCost: isBelowCost(each, now) }))
  return { ...viewLastChange(row), packageCount: packages.length, sale: gameSaleOf(row, sold, now) }
}

/** Returns all games in shop order, also those that are switched off. */
export async function findManagedGames(db: Sql, now: Date): Promise<ManagedGame[]> {
  const rows = await db.query({ text: sql`${GAMES} ORDER BY ${g.position}, ${g.id}` })
  return rows.map(row => viewGame(row, now))
}

export async function findManagedGame(db: Sql, id: number, now: Date): Promise<ManagedGame | null> {
  const [found] = await db.query({ text: sql`${GAMES} WHERE ${g.id} = $1`, values: [id] })
  return found ? viewGame(found, now) : null
}

/** Returns the fields of a game that the audit log stores: those that a save would write. */
export function gameFieldsOf(managed: ManagedGame): GameFields {
  const { id: _, no: _no, oldCodes: _codes, packageCount: _count, sale: _sale, version: _version, ...rest } = managed
  const { updatedAt: _at, updatedByName: _by, ...fields } = rest
  return fields
}

/** Adds a game at the end, or overwrites the one that was read. Returns its id. */
export function saveGameRow(
  change: CatalogueChange,
  { desc, usualMinutes: { from, to }, ...fields }: GameFields,
  read: Pick<ManagedGame, 'id' | 'version' | 'code' | 'oldCodes'> | null,
): Promise<number> {
  const oldCodes = read ? oldCodesAfter(read, fields.code) : []
  const playerCheck = fields.playerChecks.some(({ by }) => by === 'midasbuy') ? ('midasbuy' as const) : null
  const row = { ...fields, playerCheck, oldCodes, description: desc, usualMinutesFrom: from, usualMinutesTo: to }
  return saveRow(change, game, row, read)
}

/** Returns another game that had this code before; null when none had. */
export async function findFormerOwner(
  tx: Sql,
  code: string,
  read: Pick<ManagedGame, 'id'> | null,
): Promise<{ id: number; name: string } | null> {
  const [found] = await tx.query({
    text: sql`SELECT ${row(pick(g, 'id', 'name'))} FROM ${g} WHERE $1 = ANY(${g.oldCodes}) AND ${g.id} <> $2`,
    values: [code, read?.id ?? 0],
  })
  return found ?? null
}

/** Takes an old code away from a game, so that links with it no longer lead there. */
export async function dropOldCode({ orm }: Sql, id: number, code: string): Promise<void> {
  await orm
    .update(game)
    .set({ oldCodes: drizzled`array_remove(${game.oldCodes}, ${code})` })
    .where(eq(game.id, id))
}

type TagKind = typeof gameTag.$inferSelect.kind
/** The column of `game` that holds each kind of tag. */
const TAG_COLUMN = { region: 'regions', language: 'languages', platform: 'platforms' } as const satisfies Record<
  TagKind,
  keyof GameFields
>
export const TAG_KINDS = keysOf(TAG_COLUMN)
export const tagsOf = (fields: GameFields, kind: TagKind): string[] => fields[TAG_COLUMN[kind]]

/** Returns the names of the games, active or not, that have one of these tags. */
export async function findGamesWithTags(tx: Sql, kind: TagKind, codes: string[]): Promise<string[]> {
  const rows = await tx.query({
    text: sql`SELECT ${row(pick(g, 'name'))} FROM ${g} WHERE ${g[TAG_COLUMN[kind]]} && $1::text[] ORDER BY ${g.position}`,
    values: [codes],
  })
  return rows.map(({ name }) => name)
}

export async function saveTagRows({ orm }: Sql, kind: TagKind, tags: { code: string; name: string }[]): Promise<void> {
  await orm.delete(gameTag).where(eq(gameTag.kind, kind))
  if (tags.length === 0) return
  await orm.insert(gameTag).values(tags.map((tag, index) => ({ ...tag, kind, position: index + 1 })))
}
