import type { GatewayName } from '@shop/shared/provider-names.ts'
import type { Dialect } from './dialect.ts'
import { opn } from './opn.ts'
import { stripe } from './stripe.ts'

export const DIALECTS: Record<GatewayName, Dialect> = { opn, stripe }
