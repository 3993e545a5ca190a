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
  /** It is what the transfer paid: it pays nothing more. */
  hasPaid: z.boolean(),
})
export type OtherOfSlip = z.output<typeof otherOfSlip>

/** What has the money of a transfer that is like this one in account, amount and time. */
export const usedTransfer = z.object({
  kind: z.enum(['order', 'topUp', 'line']),
  id: z.uuid(),
  no: z.string(),
  /** Of its statement line. */
  lineNo: z.nullable(z.int()),
})
export type UsedTransferView = z.output<typeof usedTransfer>

/** A slip's check as staff see it. Made of calls of `z` alone, so that the storefront's build can leave it out. */
export const slipVerdict = z.object({
  state: slipCheckState,
  /** Why it is with them. */
  reason: z.nullable(z.enum(STAFF_REASONS)),
  /** Whether it is this check that marked the order paid. */
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
      /** By rule; null when the provider told of no transfer. */
      verdict: z.nullable(z.record(z.enum(RULE_NAMES), finding)),
    }),
  ),
})
export type SlipVerdict = z.output<typeof slipVerdict>
