import * as z from 'zod'
import { satang, instant as time } from '../wire.ts'
import { STAFF_REASONS } from './outcome.ts'
import { slipCheckState } from './slip-check.ts'
import { RULE_NAMES, RULE_RESULTS } from './verdict.ts'

const finding = z.object({ result: z.enum(RULE_RESULTS), expected: z.string(), found: z.string() })

/** Something else that the transfer on a slip was handed in for. */
export const otherOfSlip = z.object({
  kind: z.enum(['order', 'topUp']),
  id: z.uuid(),
  no: z.string(),
  /** Whether the transfer paid this, so that it can't pay anything else. */
  hasPaid: z.boolean(),
})
export type OtherOfSlip = z.output<typeof otherOfSlip>

/** A thing that has the money of a transfer with similar account, amount and time. */
export const usedTransfer = z.object({
  kind: z.enum(['order', 'topUp', 'line']),
  id: z.uuid(),
  no: z.string(),
  /** The number of its statement line. */
  lineNo: z.nullable(z.int()),
})
export type UsedTransferView = z.output<typeof usedTransfer>

/** A slip's check for staff. It uses only calls of `z`, so that the storefront's build can leave it out. */
export const slipVerdict = z.object({
  state: slipCheckState,
  /** Why staff must decide. */
  reason: z.nullable(z.enum(STAFF_REASONS)),
  /** Whether this check marked the order paid. */
  hasApproved: z.boolean(),
  /** The last question to the provider; null when none was asked. */
  ask: z.nullable(
    z.object({
      provider: z.string(),
      askedAt: time,
      count: z.int(),
      code: z.nullable(z.string()),
      isShadow: z.boolean(),
      amountSatang: z.nullable(satang),
      payerName: z.nullable(z.string()),
      payerMask: z.nullable(z.string()),
      /** The finding of each rule; null when the provider reported no transfer. */
      verdict: z.nullable(z.record(z.enum(RULE_NAMES), finding)),
    }),
  ),
})
export type SlipVerdict = z.output<typeof slipVerdict>
