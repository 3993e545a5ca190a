import type { SupplierName } from '@shop/shared/provider-names.ts'
import { type Choice, choice } from '../choice.ts'
import type { InSatang, Supplier } from './provider.ts'
import { createSeagm } from './seagm.ts'

/** The suppliers that can deliver automatic packages. */
export const SUPPLIERS = {
  seagm: choice({
    baseUrl: { variable: 'SEAGM_BASE_URL', standard: 'https://openapi.seagm.com' },
    keys: ['SEAGM_UID', 'SEAGM_SECRET_KEY'],
    make: options => createSeagm(options),
  }),
} satisfies Record<SupplierName, Choice<{ timeoutMs: number; now: () => Date; inSatang: InSatang }, Supplier>>
