import { line } from '../line.ts'

// Fields that people type about a player; the storefront's forms validate them like the server (see account/fields.ts).

/** An id or name in a game. Dots alone are refused, because they would change the path of the lookup's URL. */
export const playerText = line(100).regex(/^(?!\.{1,2}$)/)
