/** A choice of the shop's managers, kept as text. */
export interface Option<T> {
  /** Holds while nothing readable is set. */
  standard: T
  /** null for a text that is no value of this option. */
  read(text: string): T | null
  /** Whether the storefront may know it. */
  isPublic: boolean
}

const toggle = (standard: boolean, isPublic: boolean): Option<boolean> => ({
  standard,
  isPublic,
  read: text => (text === 'true' ? true : text === 'false' ? false : null),
})

const whole = (standard: number, [least, most]: [number, number], isPublic: boolean): Option<number> => ({
  standard,
  isPublic,
  read: text => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null),
})

const words = (standard: string, isPublic: boolean): Option<string> => ({ standard, isPublic, read: text => text })

/** The one table of options; the names are the API's. */
export const OPTION = {
  /** Minutes a bank order waits for its transfer. */
  PAYMENT_TIME_LIMIT: whole(15, [1, 24 * 60], true),
  /** Whether player ids are checked with their game where that is possible. */
  CHECK_MIDASBUY: toggle(false, true),
  ALLOW_GUEST_CHECKOUT: toggle(true, true),
  /** Baht; above it a top-up needs two approvers, and a transfer seen by hand a manager. */
  TWO_PERSON_APPROVAL_AMOUNT: whole(20_000, [0, 999_999_999], false),
  /** Whether the back office asks everybody there for a second factor; those who enrolled one are always asked. */
  REQUIRE_ADMIN_TOTP: toggle(false, false),
  /** LINE official account people add as a friend, "@name". */
  LINE_OA_ID: words('', true),
} satisfies Record<string, Option<unknown>>

export type OptionName = keyof typeof OPTION
export const OPTION_NAMES = Object.keys(OPTION) as OptionName[]
export type Options = { [N in OptionName]: (typeof OPTION)[N]['standard'] }

/** The options with their types; what is missing or unreadable takes its standard. */
export function optionsFrom(texts: Partial<Record<string, string>>): Options {
  const read = ([name, option]: [string, Option<unknown>]) => [name, option.read(texts[name] ?? '') ?? option.standard]
  return Object.fromEntries(Object.entries<Option<unknown>>(OPTION).map(read)) as Options
}
