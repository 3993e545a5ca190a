import { zodResolver } from '@hookform/resolvers/zod'
import type { PlayerField, PlayerFieldName } from '@shop/shared/catalogue/catalogue.ts'
import { playerText } from '@shop/shared/catalogue/fields.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { errorMessage } from '@shop/shared/errors.ts'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import * as z from 'zod'

// What the form about an order's player takes, as its game asks for it. zod comes with the pages that have it.

/** What is typed into the inputs of a game. */
export type TypedPlayer = Partial<Record<PlayerFieldName, string>>

const input = ({ label, format }: PlayerField) =>
  z
    .string()
    .trim()
    .min(1, errorMessage('PLAYER_FIELD_REQUIRED', { field: label }))
    .superRefine((value, context) => {
      const problem = playerFormatProblem(format, value)
      if (problem) context.addIssue(problem)
    })
    .pipe(playerText)

/** Judges by what a game asks for now. */
export const byPlayerForm = (fields: PlayerField[]) =>
  zodResolver(
    z.object(Object.fromEntries(fields.map(field => [field.name, input(field)]))) as z.ZodType<
      TypedPlayer,
      TypedPlayer
    >,
    { error: fieldProblemOf },
  )
