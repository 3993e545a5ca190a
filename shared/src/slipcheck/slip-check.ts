import * as z from 'zod'

/** What a slip can be for. */
export type SubjectKind = 'order' | 'topUp'

/**
 * How far a slip's check is: the bank is confirming, has confirmed, another picture is asked for, staff look at it, or
 * the transfer on it paid something else.
 */
const SLIP_CHECK_STATES = ['confirming', 'confirmed', 'picture', 'staff', 'used'] as const
export type SlipCheckState = (typeof SLIP_CHECK_STATES)[number]
export const slipCheckState = z.enum(SLIP_CHECK_STATES)

/** Whether the customer is to hand in another slip. */
export const isSlipAskedAgain = (state: SlipCheckState | null): boolean => state === 'picture' || state === 'used'
