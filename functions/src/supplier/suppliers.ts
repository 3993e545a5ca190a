import type { SupplierName } from '@shop/shared/provider-names.ts'
import { type Choice, choice } from '../choice.ts'
import type { Supplier } from './provider.ts'
import { createSeagm } from './seagm.ts'

/** The suppliers that can deliver automatic packages. */
export const SUPPLIERS: Record<SupplierName, Choice<{ timeoutMs: number; now: () => Date }, Supplier>> = {
  seagm: choice({
    baseUrl: { variable: 'SEAGM_BASE_URL', standard: 'https://openapi.seagm.com' },
    keys: ['SEAGM_UID', 'SEAGM_SECRET_KEY'],
    make: ({ keys: { SEAGM_UID: uid, SEAGM_SECRET_KEY: secretKey }, baseUrl, timeoutMs, now }) =>
      createSeagm({ baseUrl, uid, secretKey, timeoutMs, now }),
  }),
}
