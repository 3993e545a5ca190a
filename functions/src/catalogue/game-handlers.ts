import type { ManagedGame } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { type Sql, violatedConstraint } from '../database/database.ts'
import { type CatalogueChange, changeCatalogue, mustBeCurrent, mustBeSeen } from '../settings/catalogue-change.ts'
import { reorder } from './arrangement.ts'
import * as store from './game-store.ts'
import { mustBeUploaded } from './pictures.ts'
import { findGameTags } from './store.ts'

/** Words that some path has in the place of a game's code, so no game may have them as its code. */
const RESERVED_CODES = ['master', 'save', 'saveprice', 'export', 'import', 'bulk', 'copyprice', 'reorder']

const codeTaken = (code: string) =>
  new AppError('GAME_CODE_TAKEN', { values: { code }, fields: { code: `รหัสเกม ${code} ซ้ำ` } })

/** @throws INVALID_INPUT for a word of the system, GAME_CODE_OF_OTHER for one whose links lead to another game */
async function mustBeFreeCode(
  { tx }: CatalogueChange,
  code: string,
  read: ManagedGame | null,
  takesOldCode: boolean,
): Promise<void> {
  if (RESERVED_CODES.includes(code))
    throw new AppError('INVALID_INPUT', { fields: { code: `ใช้รหัส ${code} ไม่ได้ เพราะเป็นคำของระบบ` } })
  const owner = await store.findFormerOwner(tx, code, read)
  if (!owner) return
  if (!takesOldCode) throw new AppError('GAME_CODE_OF_OTHER', { values: { code, game: owner.name } })
  await store.dropOldCode(tx, owner.id, code)
}

/** @throws INVALID_INPUT naming the list that holds a code without a filter */
async function mustBeKnownTags({ tx }: CatalogueChange, fields: store.GameFields): Promise<void> {
  for (const kind of store.TAG_KINDS) {
    const known = new Set((await findGameTags(tx, kind)).map(({ code }) => code))
    const unknown = store.tagsOf(fields, kind).filter(code => !known.has(code))
    if (unknown.length > 0)
      throw new AppError('INVALID_INPUT', { fields: { [`${kind}s`]: `ไม่มีตัวกรอง ${unknown.join(', ')}` } })
  }
}

/** Writes a game and its audit entry, for a save as well as for undoing one. */
export async function writeGame(
  change: CatalogueChange,
  fields: store.GameFields,
  read: ManagedGame | null,
  action: 'game.save' | 'change.undo',
  takesOldCode = false,
): Promise<ManagedGame> {
  const { tx } = change
  await mustBeFreeCode(change, fields.code, read, takesOldCode)
  await mustBeKnownTags(change, fields)
  const id = await store.saveGameRow(change, fields, read).catch(error => {
    throw violatedConstraint(error) === 'game_code_unique' ? codeTaken(fields.code) : error
  })
  const saved = await store.findManagedGame(tx, id, change.person.now)
  invariant(saved, 'the game was just saved')
  const before = read && store.gameFieldsOf(read)
  await change.audit({ action, subject: `game:${id}`, before, after: store.gameFieldsOf(saved) })
  return saved
}

/** @throws GAME_NOT_FOUND */
export async function mustFindManagedGame(db: Sql, id: number, now: Date): Promise<ManagedGame> {
  const game = await store.findManagedGame(db, id, now)
  if (!game) throw new AppError('GAME_NOT_FOUND')
  return game
}

async function saveGame(context: Context, body: ParsedInput<typeof contract.saveGame>['body']) {
  const { id, version, takesOldCode, ...fields } = body
  return changeCatalogue(context.shop, personOf(context), async change => {
    const read = id === undefined ? null : await store.findManagedGame(change.tx, id, change.person.now)
    if (id !== undefined && !read) throw new AppError('GAME_NOT_FOUND')
    if (read) mustBeCurrent(version, read)
    const { picture, playerHintPicture } = fields
    await mustBeUploaded(context.shop.files, { picture, playerHintPicture }, read)
    const { playerChecks = read?.playerChecks ?? [], ...rest } = fields
    return writeGame(change, { ...rest, playerChecks }, read, 'game.save', takesOldCode)
  })
}

type TagInput = ParsedInput<typeof contract.saveGameTags>['body']

/** Writes one list of filters. @throws TAG_IN_USE naming the games that still use a removed filter */
export async function writeTags(
  { tx, audit }: CatalogueChange,
  { kind, tags }: Pick<TagInput, 'kind' | 'tags'>,
  action: 'gameTag.save' | 'change.undo',
): Promise<void> {
  const codes = new Set(tags.map(({ code }) => code))
  const before = await findGameTags(tx, kind)
  const gone = before.map(({ code }) => code).filter(code => !codes.has(code))
  const games = await store.findGamesWithTags(tx, kind, gone)
  if (games.length > 0) throw new AppError('TAG_IN_USE', { values: { games: games.join(', ') }, details: { games } })
  await store.saveTagRows(tx, kind, tags)
  await audit({ action, subject: `gameTag:${kind}`, before: { tags: before }, after: { tags } })
}

async function saveTags(context: Context, { seen, ...list }: TagInput) {
  const codes = new Set(list.tags.map(({ code }) => code))
  if (codes.size < list.tags.length) throw new AppError('INVALID_INPUT', { fields: { tags: 'รหัสซ้ำ' } })
  return changeCatalogue(context.shop, personOf(context), async change => {
    await mustBeSeen(change, `gameTag:${list.kind}`, seen, await findGameTags(change.tx, list.kind))
    await writeTags(change, list, 'gameTag.save')
    return list.tags
  })
}

export const gameRoutes: Route[] = [
  route(contract.listManagedGames, (_, { shop, now }) => store.findManagedGames(shop.db, now)),
  route(contract.listQmsGames, (_, { shop }) => shop.qmsGames.list()),
  route(contract.saveGame, ({ body }, context) => saveGame(context, body)),
  route(contract.reorderGames, ({ body }, context) =>
    changeCatalogue(context.shop, personOf(context), async change => {
      await reorder(change, { table: 'game', ...body, action: 'game.reorder', notFound: 'GAME_NOT_FOUND' })
      return store.findManagedGames(change.tx, change.person.now)
    }),
  ),
  route(contract.saveGameTags, ({ body }, context) => saveTags(context, body)),
]
