import { OWN_STOCK } from '@shop/shared/catalogue/delivers.ts'
import type { GameCheck, PlayerVerdict } from '@shop/shared/catalogue/player-check.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Options } from '@shop/shared/settings/option.ts'
import type { Shop } from '../shop/shop.ts'
import type { PlayerSource, PlayerSources } from './player-lookup.ts'
import type { Catalogue } from './snapshot.ts'

interface CheckedGame {
  id: number
  code: string
  playerChecks: readonly GameCheck[]
}
type Parts = Pick<Shop, 'playerLookup' | 'suppliers'>

/** Tells whether buyers of a game are asked for a player that exists. */
export const isPlayerChecked = ({ playerChecks }: Pick<CheckedGame, 'playerChecks'>, options: Options): boolean =>
  playerChecks.length > 0 && options.CHECK_MIDASBUY

/** A game's suppliers that know players: each is asked about the first of its products that the game sells. */
function suppliersOf({ suppliers }: Parts, { packagesByGame }: Catalogue, gameId: number): PlayerSources {
  const topUps = (packagesByGame.get(gameId) ?? []).filter(({ delivers }) => delivers === 'top_up')
  const asked: Record<string, PlayerSource> = {}
  for (const { supplier: name, sku } of topUps.flatMap(({ sources }) => sources)) {
    const supplier = name === OWN_STOCK ? undefined : suppliers[name]
    if (!supplier || asked[name] || supplier.capabilities.validates === 'none') continue
    asked[name] = async ({ fields }) => {
      const told = await supplier.validatePlayer(sku, [...fields])
      return told.kind === 'ok' ? { kind: 'found', uid: fields[0] ?? '', name: told.name } : told
    }
  }
  return asked
}

/** Asks those whom the game names. @param fields what was typed into its inputs, in their order */
export const askPlayer = (
  shop: Parts,
  catalogue: Catalogue,
  { id, code, playerChecks: checks }: CheckedGame,
  fields: readonly string[],
): Promise<PlayerVerdict> =>
  shop.playerLookup.find({ gameCode: code, fields, checks }, suppliersOf(shop, catalogue, id))

/**
 * Returns the player's name for an order; null where nobody is asked or nobody can say: that keeps no order from being
 * made. @throws PLAYER_NOT_FOUND
 */
export async function playerNameFor(
  shop: Parts,
  catalogue: Catalogue,
  game: CheckedGame,
  fields: readonly { value: string }[],
): Promise<string | null> {
  if (!isPlayerChecked(game, catalogue.options)) return null
  const typed = fields.map(({ value }) => value)
  const verdict = await askPlayer(shop, catalogue, game, typed)
  if (verdict.kind === 'wrong') throw new AppError('PLAYER_NOT_FOUND')
  return verdict.kind === 'found' ? verdict.name : null
}
