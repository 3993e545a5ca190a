/** The last third of a month's questions is reserved for known buyers. */
const STRANGERS_SHARE = 2 / 3

/**
 * Returns how many of a month's questions may be used before a customer's slip is not checked any more. Guests, who can
 * make any number of keys and accounts, can't use up the part of buyers with a proven address or LINE identity.
 */
export const quotaFor = (monthly: number, isStranger: boolean): number =>
  isStranger ? Math.floor(monthly * STRANGERS_SHARE) : monthly
