import { zodResolver } from '@hookform/resolvers/zod'
import type { PlayerField, PlayerFieldName } from '@shop/shared/catalogue/catalogue.ts'
import { playerText } from '@shop/shared/catalogue/fields.ts'
import { playerFormatProblem, readPlayerValue } from '@shop/shared/catalogue/player-format.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import * as z from 'zod'

// What the form for an order's player accepts, as its game asks for it. Only pages with this form load zod.

/** The texts in the inputs of a game. */
export type TypedPlayer = Partial<Record<PlayerFieldName, string>>

const input = ({ label, format }: PlayerField) =>
  z
    .string()
    .overwrite(text => readPlayerValue(format, text).trim())
    .min(1, errorMessage('PLAYER_FIELD_REQUIRED', { field: label }))
    .superRefine((value, context) => {
      const problem = playerFormatProblem(format, value)
      if (problem) context.addIssue(problem)
    })
    .pipe(playerText)

/** Checks the form by what the game asks for now. */
export const byPlayerForm = (fields: PlayerField[]) =>
  zodResolver(
    z.object(Object.fromEntries(fields.map(field => [field.name, input(field)]))) as z.ZodType<
      TypedPlayer,
      TypedPlayer
    >,
    { error: fieldProblemOf },
  )
