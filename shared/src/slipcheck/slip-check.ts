import * as z from 'zod'

/** What a slip can be for. */
export type SubjectKind = 'order' | 'topUp'

/** How far a slip's check is: the bank is confirming, has confirmed, another picture is asked for, or staff look at it. */
const SLIP_CHECK_STATES = ['confirming', 'confirmed', 'picture', 'staff'] as const
export type SlipCheckState = (typeof SLIP_CHECK_STATES)[number]
export const slipCheckState = z.enum(SLIP_CHECK_STATES)
