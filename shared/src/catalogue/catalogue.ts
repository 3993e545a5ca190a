import { keysOf } from '../table.ts'
import type { PlayerFormat } from './player-format.ts'

/** The inputs a game may ask its player for; the first one is the player id. */
export type PlayerFieldName = 'field1' | 'field2' | 'field3' | 'field4' | 'field5'

/** The name of each input in an order request. */
export const PLAYER_FIELD = {
  field1: 'playerId',
  field2: 'field2',
  field3: 'field3',
  field4: 'field4',
  field5: 'field5',
} as const satisfies Record<PlayerFieldName, string>
export const PLAYER_FIELD_NAMES = keysOf(PLAYER_FIELD)

/** The typed player data under the request's names; the player id is always present. */
type PlayerInput = (typeof PLAYER_FIELD)[PlayerFieldName]
/** Stands for the player of a package that delivers codes, which are nobody's until somebody redeems them. */
export const NO_PLAYER = '-'

export type PlayerValues = { playerId: string } & Partial<Record<PlayerInput, string>>

/** An input a game asks for. */
export interface PlayerField {
  name: PlayerFieldName
  label: string
  /** null accepts any text. */
  format: PlayerFormat | null
}

/** A game's five inputs. One that is switched off keeps its label and format for when it is wanted again. */
export interface PlayerInputs {
  fieldsOn: readonly boolean[]
  fieldLabels: readonly string[]
  fieldFormats: readonly (PlayerFormat | null)[]
}

/** Returns the inputs that a game asks for: those that are on and have a label. */
export function playerFieldsOf({ fieldsOn, fieldLabels, fieldFormats }: PlayerInputs): PlayerField[] {
  return PLAYER_FIELD_NAMES.map((name, index) => ({
    name,
    label: fieldLabels[index] ?? '',
    format: fieldFormats[index] ?? null,
  })).filter(({ label }, index) => fieldsOn[index] && label)
}

/** Returns the codes under which a game is still found after it gets another one: all that it had. */
export const oldCodesAfter = (game: { code: string; oldCodes: readonly string[] }, code: string): string[] =>
  [...new Set([...game.oldCodes, game.code])].filter(each => each !== code)

/** Returns only the player's fields of an object. */
export function playerValuesOf(source: PlayerValues): PlayerValues {
  const { playerId } = source
  return { playerId, ...Object.fromEntries(Object.values(PLAYER_FIELD).map(input => [input, source[input]])) }
}
