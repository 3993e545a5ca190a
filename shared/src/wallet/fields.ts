import * as z from 'zod'

// What people type about a wallet. The storefront's form judges by it as the server does (see account/fields.ts).

/** Ten million baht: far above any tier, far below what a number can hold. */
export const amountSatang = z.int().positive().max(1_000_000_000)
