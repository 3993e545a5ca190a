/** Of a month's questions the last third is kept for people who are known. */
const STRANGERS_SHARE = 2 / 3

/**
 * How many of a month's questions may be used up before somebody is asked about no more. Strangers, who make any number
 * of keys and accounts, can't use up those of buyers with a proven address or LINE.
 */
export const quotaFor = (monthly: number, isStranger: boolean): number =>
  isStranger ? Math.floor(monthly * STRANGERS_SHARE) : monthly
