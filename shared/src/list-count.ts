/** Lists that grow with every order stop counting here, "more than 1,000": nobody turns so many pages. */
export const MOST_COUNTED = 1000

/** The others, which people keep by hand, stop here. */
export const MOST_KEPT = 10_000
