import * as z from 'zod'

// Fields that people type about a wallet; the storefront's form validates them like the server (see account/fields.ts).

/** Ten million baht: far above any tier, far below what a number can hold. */
export const amountSatang = z.int().positive().max(1_000_000_000)
