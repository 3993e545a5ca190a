import * as z from 'zod'
import { instant as time } from '../wire.ts'
import { ORDER_STATUS, type OrderStatus } from './status.ts'

/**
 * What lets somebody see the codes of an order: pressing a button, their PIN, a number sent by mail; or they must sign
 * in as its buyer, or use the browser that bought it.
 */
const OPENINGS = ['press', 'pin', 'mail', 'signIn', 'elsewhere'] as const
type Opening = (typeof OPENINGS)[number]

/** Who looks at an order. */
interface CodeViewer {
  /** By their account, or by the key of the browser that made it. */
  isBuyer: boolean
  /** Their codes are worth as much as their wallet, so they open by its PIN. */
  hasPin: boolean
  /** Whether the order was made without an account. */
  isOfGuest: boolean
  /** Whether its guest gave an address to which the shop can send a number. */
  hasAddress: boolean
}

/** Tells by what a viewer can see the codes of an order. A tracking link alone opens none. */
export function openingOf({ isBuyer, hasPin, isOfGuest, hasAddress }: CodeViewer): Opening {
  if (isBuyer) return hasPin ? 'pin' : 'press'
  if (!isOfGuest) return 'signIn'
  return hasAddress ? 'mail' : 'elsewhere'
}

/** Whether an order of this status shows the codes that it has: its money is the shop's, and is not owed back. */
export const showsCodes = (status: OrderStatus): boolean => ORDER_STATUS[status].money === 'held' && status !== 'failed'

/** The codes of an order as its page knows them, without the codes themselves. */
export const orderCodes = z.object({
  opening: z.enum(OPENINGS),
  /** The address for opening them elsewhere: whole for the guest who gave it, else only enough to recognise it. */
  address: z.string().nullable(),
  /** Whether the viewer may give that address. */
  canGiveAddress: z.boolean(),
  /** Those that were delivered. When and on what device the first look was is told to the buyer alone. */
  rows: z.array(z.object({ id: z.uuid(), revealedAt: time.nullable(), revealedOn: z.string().nullable() })),
})
export type OrderCodes = z.output<typeof orderCodes>

/** "namkhao@example.com" as "na•••@example.com": its owner recognises it, others don't learn it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, Math.min(2, Math.max(1, at - 1)))}•••${address.slice(at)}`
}

/** A number that opens codes is right so many seconds, and is tried so often. */
export const OPENING_SECONDS = 10 * 60
export const OPENING_TRIES = 5

/** What is known of the last number that was sent. */
export interface SentNumber {
  sentAt: Date | null
  tries: number
}

/** Whether a number can still be tried. */
export const isNumberOpen = ({ sentAt, tries }: SentNumber, now: Date): boolean =>
  sentAt !== null && tries < OPENING_TRIES && now.getTime() < sentAt.getTime() + OPENING_SECONDS * 1000

/** Splits a code into groups of four for reading; one that has dashes or blanks of its own stays as it is. */
export const groupsOf = (code: string): string[] => (/[\s-]/.test(code) ? [code] : (code.match(/.{1,4}/gsu) ?? []))
