import type { SlipProviderName } from '@shop/shared/provider-names.ts'
import { type Choice, choice } from '../asking/choice.ts'
import { createEasySlip } from './easyslip.ts'
import { type SlipProvider, withAnyKey } from './provider.ts'
import { createSlipOk } from './slipok.ts'

/** The services that can check the shop's slips. */
export const SLIP_PROVIDERS = {
  slipok: choice({
    baseUrl: { variable: 'SLIPOK_BASE_URL', standard: 'https://api.slipok.com/api/line/apikey' },
    keys: ['SLIPOK_BRANCH_ID', 'SLIPOK_API_KEY'],
    make: ({ keys, baseUrl, timeoutMs, onAccepted }) =>
      withAnyKey(
        keys,
        ({ SLIPOK_BRANCH_ID: branchId, SLIPOK_API_KEY: apiKey }) =>
          createSlipOk({ baseUrl, branchId, apiKey, timeoutMs }),
        onAccepted,
      ),
  }),
  easyslip: choice({
    baseUrl: { variable: 'EASYSLIP_BASE_URL', standard: 'https://api.easyslip.com/v2' },
    keys: ['EASYSLIP_API_KEY'],
    make: ({ keys, baseUrl, timeoutMs, onAccepted }) =>
      withAnyKey(keys, ({ EASYSLIP_API_KEY: apiKey }) => createEasySlip({ baseUrl, apiKey, timeoutMs }), onAccepted),
  }),
} satisfies Record<SlipProviderName, Choice<{ timeoutMs: number }, SlipProvider>>
