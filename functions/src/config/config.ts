import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { isDevelopmentPinKey } from '../account/pins.ts'
import { type Choice, readChoice, readChoices } from '../asking/choice.ts'
import { valuesOf } from '../asking/keys.ts'
import { DEMO_PROJECT, DEVELOPMENT_TOTP_KEY, environment, LINE_API } from '../environment/environment.ts'
import { GATEWAYS, keyFlaws } from '../gateway/gateways.ts'
import { LIMIT_NAMES, type LimitName, RATE_LIMIT, windowOf } from '../http/rate-limit.ts'
import { SECRETS } from '../pulse/secret-names.ts'
import { SLIP_PROVIDERS } from '../slipcheck/providers.ts'
import { SUPPLIERS } from '../supplier/suppliers.ts'
import { SERVICE, type Settings } from './outside.ts'

const LINE_ACCESS = 'https://access.line.me'

const LIMIT_VARIABLES = Object.fromEntries(
  LIMIT_NAMES.map(name => [RATE_LIMIT[name].variable, z.coerce.number().int().min(0).default(windowOf(name).calls)]),
) as Record<(typeof RATE_LIMIT)[LimitName]['variable'], z.ZodDefault<z.ZodCoercedNumber>>

export interface Config extends Settings {
  /** Calls per minute or hour; tests and benchmarks raise them. */
  limits: Record<LimitName, number>
  /** Where Google and Facebook lead people back to; null without one of the shop's own. */
  authDomain: string | null
}

/** The configuration can't be used; each flaw is a sentence that names its variable. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly flaws: readonly string[]
  constructor(flaws: readonly string[]) {
    super(`configuration: ${flaws.join('; ')}`)
    this.flaws = flaws
  }
}

/**
 * Reads the configuration from environment variables. A blank variable counts as not set, because env files write unset
 * variables so. @throws ConfigurationError naming every problem
 */
export function readConfig(variables: Given): Config {
  const env: Given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  // Functions name their project themselves. Elsewhere it is the one that the sites are built for.
  env.GCLOUD_PROJECT ??= env.VITE_FIREBASE_PROJECT_ID
  const isDevelopment = env.FIREBASE_AUTH_EMULATOR_HOST !== undefined || env.GCLOUD_PROJECT === DEMO_PROJECT
  env.NODE_ENV ??= isDevelopment ? 'development' : 'production'
  const parsed = environment.extend(LIMIT_VARIABLES).safeParse(env)
  if (!parsed.success) {
    throw new ConfigurationError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
  }
  const { LINE_API_BASE_URL, SLIP_PROVIDER, SUPPLIER, GATEWAY } = parsed.data
  const standInAccess = LINE_API_BASE_URL === LINE_API ? LINE_ACCESS : new URL(LINE_API_BASE_URL).origin
  const slipProvider = readChoice('SLIP_PROVIDER', SLIP_PROVIDER, SLIP_PROVIDERS, env)
  const suppliers = readChoices('SUPPLIER', SUPPLIER, SUPPLIERS, env)
  const gateway = readChoice('GATEWAY', GATEWAY, GATEWAYS, env)
  const config: Config = {
    ...parsed.data,
    LINE_ACCESS_BASE_URL: parsed.data.LINE_ACCESS_BASE_URL ?? standInAccess,
    slipProvider: slipProvider.chosen,
    suppliers: suppliers.chosen,
    gateway: gateway.chosen,
    authDomain: env.VITE_FIREBASE_AUTH_DOMAIN?.trim() ?? null,
    limits: Object.fromEntries(
      LIMIT_NAMES.map(name => [name, parsed.data[RATE_LIMIT[name].variable]]),
    ) as Config['limits'],
  }
  const flaws = [
    ...(config.NODE_ENV === 'production' ? productionFlaws(config, env) : []),
    ...halves(env),
    ...slipProvider.flaws,
    ...suppliers.flaws,
    ...gateway.flaws,
    ...keyFlaws(gateway.chosen, config.NODE_ENV === 'production'),
  ]
  if (flaws.length > 0) throw new ConfigurationError(flaws)
  return config
}

/** Variables that production must set, because their defaults would open the shop to anybody. */
export const CHOSEN_IN_PRODUCTION = [
  'LINE_LOGIN_CHANNEL_ID',
  'LINE_LOGIN_CHANNEL_SECRET',
  'TOTP_KEY',
  'PIN_KEYS',
  'PROXIES_IN_FRONT',
  'STOREFRONT_URL',
  'ADMIN_URL',
] as const satisfies (keyof Config)[]

/** Every variable that holds an address. */
const URLS = [
  ...Object.keys(environment.shape).filter(name => name.endsWith('_URL')),
  ...Object.values<Choice<never, unknown>>({ ...SLIP_PROVIDERS, ...SUPPLIERS, ...GATEWAYS }).map(
    ({ baseUrl }) => baseUrl.variable,
  ),
]
/** Addresses that are not web addresses. All others must be https in production. */
const NO_WEB_URLS = ['DATABASE_URL', 'DATABASE_READ_URL', 'SMTP_URL']

type Flaw = [isSo: boolean, message: string]
type Given = Record<string, string | undefined>

const plainUrls = (env: Given): Flaw[] =>
  URLS.filter(name => !NO_WEB_URLS.includes(name)).map(name => {
    const url = env[name]
    return [url !== undefined && URL.parse(url)?.protocol !== 'https:', `${name} must be https`]
  })

/** Names what is missing when a service is configured only in part. */
const halves = (env: Given): string[] =>
  Object.entries(SERVICE).flatMap(([kind, { needs }]) => {
    const missing = needs.filter(name => env[name] === undefined)
    return missing.length > 0 && missing.length < needs.length ? [`${kind} needs ${missing.join(' and ')}`] : []
  })

/** Names secrets that stand in two places: one of them was put into the wrong one. */
const repeated = (env: Given): Flaw[] =>
  SECRETS.flatMap((name, at) =>
    SECRETS.slice(at + 1).map(
      (other): Flaw => [
        valuesOf(env[name] ?? '').some(value => valuesOf(env[other] ?? '').includes(value)),
        `${name} and ${other} must not hold the same`,
      ],
    ),
  )

/** What the sites are built with and what the server is told must be the same. */
const SAME = [
  ['GCLOUD_PROJECT', 'VITE_FIREBASE_PROJECT_ID'],
  ['STOREFRONT_URL', 'VITE_STOREFRONT_URL'],
  ['ADMIN_URL', 'VITE_ADMIN_URL'],
  ['LINE_LIFF_ID', 'VITE_LIFF_ID'],
] as const

const unequal = (env: Given): Flaw[] =>
  SAME.map(([name, site]) => [
    env[site] !== undefined && env[name] !== env[site],
    `${site} must be the same as ${name}`,
  ])

/** Names what production does not allow. For example, a stand-in for an identity issuer accepts any identity. */
function productionFlaws(config: Config, env: Given): string[] {
  const isLineItself = config.LINE_API_BASE_URL === LINE_API && config.LINE_ACCESS_BASE_URL === LINE_ACCESS
  const flaws: Flaw[] = [
    ...CHOSEN_IN_PRODUCTION.map((name): Flaw => [env[name] === undefined, `${name} must be set`]),
    [
      config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
      'FIREBASE_AUTH_EMULATOR_HOST must not be set in production: the emulator accepts forged tokens',
    ],
    [
      config.DEMO_BANK_URL !== undefined,
      'DEMO_BANK_URL must not be set in production: it tells staff to pay with invented money',
    ],
    [
      config.WEBHOOK_LOCAL_ORIGIN !== undefined,
      'WEBHOOK_LOCAL_ORIGIN must not be set in production: it lets webhooks into our own network',
    ],
    [env.GCLOUD_PROJECT === undefined, 'GCLOUD_PROJECT must be set (VITE_FIREBASE_PROJECT_ID stands for it)'],
    [env.GCLOUD_PROJECT === DEMO_PROJECT, `GCLOUD_PROJECT must name a project, not ${DEMO_PROJECT}`],
    [!isLineItself, 'LINE_API_BASE_URL and LINE_ACCESS_BASE_URL must be LINE itself in production'],
    [
      env.PIN_KEYS !== undefined && config.PIN_KEYS.some(isDevelopmentPinKey),
      'PIN_KEYS must not hold the secret of development',
    ],
    [
      env.TOTP_KEY !== undefined &&
        config.TOTP_KEY.some(key => key === DEVELOPMENT_TOTP_KEY || /^[a-z0-9]+:/.test(key)),
      'TOTP_KEY must hold secrets of its own, not the one of development, and without names like those in PIN_KEYS',
    ],
    [
      env.FILES_BUCKET === undefined && !isAbsolute(config.FILES_DIR),
      'FILES_BUCKET must name a bucket, or FILES_DIR a folder by its whole path',
    ],
    [
      env.FILES_BUCKET === undefined && env.K_SERVICE !== undefined,
      'FILES_BUCKET must be set: what a function writes to its disk is lost with it',
    ],
    [
      config.PROXIES_IN_FRONT > 1 && config.FRONT_SECRET.length === 0,
      'PROXIES_IN_FRONT above 1 needs FRONT_SECRET: whoever goes past the first proxy would choose their address',
    ],
    ...repeated(env),
    ...unequal(env),
    ...plainUrls(env),
  ]
  return flaws.filter(([isSo]) => isSo).map(([, message]) => message)
}
