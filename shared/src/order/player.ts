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

/** Whom an order is for: the inputs of the game, the id among them, and the name where the game was asked for it. */
export interface Player {
  playerId: string
  playerName: string | null
  fields: TypedField[]
}

/** The player's inputs. @throws PLAYER_FIELD_REQUIRED naming the first active one that is empty or typed wrongly. */
export function playerInputsOf(inputs: PlayerInputs, typed: PlayerValues): TypedField[] {
  return playerFieldsOf(inputs).map(({ name, label, format }) => {
    const value = typed[PLAYER_FIELD[name]]
    const problem = value ? playerFormatProblem(format, value) : label
    if (!value || problem)
      throw new AppError('PLAYER_FIELD_REQUIRED', { values: { field: label }, fields: { [name]: problem ?? label } })
    return { name, label, value }
  })
}
