// The API answers under the shop's own address, beside these pages.

/** The guide in Thai, from which a link leads to the English one. */
export const DOCS_PATH = '/reseller/docs/th'
/** The simplest call: it needs only the scope `read`. */
export const FIRST_CALL_PATH = '/reseller/v1/wallet'

/** A first call to paste into a terminal. `origin` is the address of the shop, without a slash at its end. */
export const firstCallOf = (origin: string, token: string): string =>
  `curl ${origin}${FIRST_CALL_PATH} -H "Authorization: Bearer ${token}"`
