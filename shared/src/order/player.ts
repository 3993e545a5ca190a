import {
  PLAYER_FIELD,
  type PlayerFieldName,
  type PlayerInputs,
  type PlayerValues,
  playerFieldsOf,
} from '../catalogue/catalogue.ts'
import { playerFormatProblem } from '../catalogue/player-format.ts'
import { AppError } from '../errors.ts'

/** What a player typed, by label. */
export interface TypedField {
  name: PlayerFieldName
  label: string
  value: string
}

/** The player of an order: the game's inputs with the id, and the name if the game was asked for it. */
export interface Player {
  playerId: string
  playerName: string | null
  fields: TypedField[]
}

/** Returns the player's inputs. @throws PLAYER_FIELD_REQUIRED naming the first active input that is empty or invalid */
export function playerInputsOf(inputs: PlayerInputs, typed: PlayerValues): TypedField[] {
  return playerFieldsOf(inputs).map(({ name, label, format }) => {
    const value = typed[PLAYER_FIELD[name]]
    const problem = value ? playerFormatProblem(format, value) : label
    if (!value || problem)
      throw new AppError('PLAYER_FIELD_REQUIRED', { values: { field: label }, fields: { [name]: problem ?? label } })
    return { name, label, value }
  })
}
