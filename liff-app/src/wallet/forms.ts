import { zodResolver } from '@hookform/resolvers/zod'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import { amountSatang } from '@shop/shared/wallet/fields.ts'
import type { TopUpLimits } from '@shop/shared/wallet/top-up.ts'
import * as z from 'zod'
import { findTypedProblem, readAmount } from './top-up-amount.ts'

// What the form of a top-up accepts. Only the page with this form loads zod.

const topUpForm = (limits: TopUpLimits) =>
  z.object({
    amountSatang: z
      .string()
      .superRefine((text, context) => {
        const problem = findTypedProblem(text, limits)
        if (problem) context.addIssue(problem)
      })
      .transform(readAmount)
      .pipe(amountSatang),
  })
type Schema = ReturnType<typeof topUpForm>
/** The values of the form as baht in text, and as the satang that are sent. */
export type TypedTopUp = z.input<Schema>
export type ReadTopUp = z.output<Schema>

/** Checks the form by the limits of the wallet as they are now. */
export const byTopUpForm = (limits: TopUpLimits) => zodResolver(topUpForm(limits), { error: fieldProblemOf })
