import * as z from 'zod'
import { satang, instant as time } from '../wire.ts'
import { STAFF_REASONS } from './outcome.ts'
import { slipCheckState } from './slip-check.ts'
import { RULE_NAMES, RULE_RESULTS } from './verdict.ts'

const finding = z.object({ result: z.enum(RULE_RESULTS), expected: z.string(), found: z.string() })

/** A slip's check as staff see it. */
export const slipVerdict = z.object({
  state: slipCheckState,
  /** Why it is with them. */
  reason: z.enum(STAFF_REASONS).nullable(),
  /** Whether it is this check that marked the order paid. */
  hasApproved: z.boolean(),
  /** The last question to the provider; null when none was asked. */
  ask: z
    .object({
      provider: z.string(),
      askedAt: time,
      count: z.number().int(),
      code: z.string().nullable(),
      isShadow: z.boolean(),
      amountSatang: satang.nullable(),
      payerName: z.string().nullable(),
      payerMask: z.string().nullable(),
      /** By rule; null when the provider told of no transfer. */
      verdict: z.record(z.enum(RULE_NAMES), finding).nullable(),
    })
    .nullable(),
})
export type SlipVerdict = z.output<typeof slipVerdict>
