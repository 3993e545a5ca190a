import { line } from '../line.ts'

// What people type about a player. The storefront's forms judge by it as the server does (see account/fields.ts).

/** An id or name in a game. Dots alone would climb in the address of whoever looks it up. */
export const playerText = line(100).regex(/^(?!\.{1,2}$)/)
