/** The count of lists that grow with every order stops here ("more than 1,000"), because nobody turns so many pages. */
export const MOST_COUNTED = 1000

/** The count of lists that people maintain by hand stops here. */
export const MOST_KEPT = 10_000
