import type { GatewayName } from '@shop/shared/provider-names.ts'
import { type Choice, type Chosen, choice } from '../asking/choice.ts'
import { isLiveKey, type KeyStarts } from './ask.ts'
import { createOpn, OPN_KEYS } from './opn.ts'
import type { Gateway } from './provider.ts'
import { createStripe, STRIPE_KEYS } from './stripe.ts'

/** The gateways that can collect money for the shop. */
export const GATEWAYS = {
  opn: choice({
    baseUrl: { variable: 'OPN_BASE_URL', standard: 'https://api.omise.co' },
    keys: ['OPN_SECRET_KEY', 'OPN_WEBHOOK_SECRET'],
    make: createOpn,
  }),
  stripe: choice({
    baseUrl: { variable: 'STRIPE_BASE_URL', standard: 'https://api.stripe.com' },
    keys: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    make: createStripe,
  }),
} satisfies Record<GatewayName, Choice<{ timeoutMs: number; now: () => Date }, Gateway>>

/** With a short key anybody could sign. */
const LEAST_BYTES = 16

interface KeyForm {
  secret: KeyStarts & { variable: string }
  webhook: { variable: string; form: string; isOne: (secret: string) => boolean }
}
const KEY_FORM: Record<GatewayName, KeyForm> = {
  opn: {
    secret: { variable: 'OPN_SECRET_KEY', ...OPN_KEYS },
    webhook: {
      variable: 'OPN_WEBHOOK_SECRET',
      form: 'base64',
      isOne: secret => Buffer.from(secret, 'base64').length >= LEAST_BYTES,
    },
  },
  stripe: {
    secret: { variable: 'STRIPE_SECRET_KEY', ...STRIPE_KEYS },
    webhook: {
      variable: 'STRIPE_WEBHOOK_SECRET',
      form: 'whsec_...',
      isOne: secret => secret.startsWith('whsec_') && secret.length >= LEAST_BYTES,
    },
  },
}

/**
 * Names keys that are no keys of that kind, or of the other mode: with a test key nobody could pay, and with a live one
 * development would move real money.
 */
export function keyFlaws(chosen: Chosen<GatewayName> | null, isProduction: boolean): string[] {
  if (!chosen) return []
  const { secret, webhook } = KEY_FORM[chosen.name]
  const isRight = (key: string) => (isProduction ? isLiveKey(key, secret) : key.startsWith(secret.test))
  const isWhole = (variable: string, is: (value: string) => boolean) =>
    chosen.keys.every(each => is(each[variable] ?? ''))
  return [
    ...(isWhole(secret.variable, isRight)
      ? []
      : [
          isProduction
            ? `${secret.variable} must be a live key (${secret.live}...), not one of the test mode (${secret.test}...)`
            : `${secret.variable} must be a key of the test mode (${secret.test}...) outside of production`,
        ]),
    ...(isWhole(webhook.variable, webhook.isOne)
      ? []
      : [`${webhook.variable} must be the secret as the dashboard shows it (${webhook.form})`]),
  ]
}
