import type { SupplierName } from '@shop/shared/provider-names.ts'
import { type Choice, choice } from '../asking/choice.ts'
import { createGamesDrop } from './gamesdrop.ts'
import { createKinguin } from './kinguin.ts'
import type { InSatang, Supplier } from './provider.ts'
import { createSeagm } from './seagm.ts'

/** The suppliers that can deliver automatic packages. */
export const SUPPLIERS = {
  seagm: choice({
    baseUrl: { variable: 'SEAGM_BASE_URL', standard: 'https://openapi.seagm.com' },
    keys: ['SEAGM_UID', 'SEAGM_SECRET_KEY'],
    make: options => createSeagm(options),
  }),
  gamesdrop: choice({
    baseUrl: { variable: 'GAMESDROP_BASE_URL', standard: 'https://partner.gamesdrop.io' },
    keys: ['GAMESDROP_TOKEN'],
    make: options => createGamesDrop(options),
  }),
  kinguin: choice({
    baseUrl: { variable: 'KINGUIN_BASE_URL', standard: 'https://gateway.kinguin.net/esa/api' },
    keys: ['KINGUIN_API_KEY', 'KINGUIN_WEBHOOK_SECRET'],
    make: options => createKinguin(options),
  }),
} satisfies Record<SupplierName, Choice<{ timeoutMs: number; now: () => Date; inSatang: InSatang }, Supplier>>
