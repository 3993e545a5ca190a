/** Pieces of the SQL behind lists. */

/** Counting stops here: people page through the newest, nobody reads row 10,001. */
export const COUNT_LIMIT = 10_001

const literal = (text: string) => text.replace(/[%_\\]/g, '\\$&')

/** A LIKE pattern for texts that contain what a person typed, wildcards taken as letters. */
export const likePart = (text: string) => `%${literal(text)}%`

/** The same for texts that begin with it. */
export const likeStart = (text: string) => `${literal(text)}%`

/** A person's first and last name of the account table under an alias; '' when there is none. */
export const fullName = (alias: string) => `trim(${alias}.name || ' ' || ${alias}.surname)`

/** A person's name for staff: first and last name, else the sign-in name. */
export const personName = (alias: string) => `coalesce(nullif(${fullName(alias)}, ''), ${alias}.username)`
