import * as z from 'zod'

/** The kinds of things that a slip can pay. */
export type SubjectKind = 'order' | 'topUp'

/**
 * The state of a slip's check: the bank is asked, has confirmed it, another picture is needed, staff decide, or the
 * transfer paid something else.
 */
const SLIP_CHECK_STATES = ['confirming', 'confirmed', 'picture', 'staff', 'used'] as const
export type SlipCheckState = (typeof SLIP_CHECK_STATES)[number]
export const slipCheckState = z.enum(SLIP_CHECK_STATES)

/** Tells whether the customer must hand in another slip. */
export const isSlipAskedAgain = (state: SlipCheckState | null): boolean => state === 'picture' || state === 'used'
