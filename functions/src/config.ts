import * as z from 'zod'
import { isDevelopmentPinKey } from './account/pins.ts'
import { type Choice, readChoice } from './choice.ts'
import { DEMO_PROJECT, environment, LINE_API } from './environment.ts'
import { LIMIT_NAMES, type LimitName, RATE_LIMIT, windowOf } from './http/rate-limit.ts'
import { SERVICE, type Settings } from './outside.ts'
import { SLIP_PROVIDERS } from './slipcheck/providers.ts'
import { SUPPLIERS } from './supplier/suppliers.ts'

const LINE_ACCESS = 'https://access.line.me'

const limit = z.coerce.number().int().min(0)

export interface Config extends Settings {
  /** Calls per minute or hour; tests and benchmarks raise them. */
  limits: Record<LimitName, number>
}

/**
 * Reads the configuration from environment variables; throws an error that names every problem. A blank variable counts
 * as not set, because env files write unset variables so.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const env = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(env)
  if (!parsed.success) throw new Error(`configuration: ${z.prettifyError(parsed.error)}`)
  const { LINE_API_BASE_URL, SLIP_PROVIDER, SUPPLIER } = parsed.data
  const standInAccess = LINE_API_BASE_URL === LINE_API ? LINE_ACCESS : new URL(LINE_API_BASE_URL).origin
  const limits = Object.fromEntries(
    LIMIT_NAMES.map(name => [name, limit.parse(env[RATE_LIMIT[name].variable] ?? windowOf(name).calls)]),
  ) as Config['limits']
  const config: Config = {
    ...parsed.data,
    LINE_ACCESS_BASE_URL: parsed.data.LINE_ACCESS_BASE_URL ?? standInAccess,
    slipProvider: readChoice('SLIP_PROVIDER', SLIP_PROVIDER, SLIP_PROVIDERS, env),
    supplier: readChoice('SUPPLIER', SUPPLIER, SUPPLIERS, env),
    limits,
  }
  const flaws = [...(config.NODE_ENV === 'production' ? productionFlaws(config, env) : []), ...halves(env)]
  if (flaws.length > 0) throw new Error(`configuration: ${flaws.join('; ')}`)
  return config
}

/** Variables that production must set, because their defaults would open the shop to anybody. */
const CHOSEN_IN_PRODUCTION = [
  'LINE_LOGIN_CHANNEL_ID',
  'LINE_LOGIN_CHANNEL_SECRET',
  'TOTP_KEY',
  'PIN_KEYS',
  'PROXIES_IN_FRONT',
  'STOREFRONT_URL',
] as const satisfies (keyof Config)[]

/** Every variable that holds an address. */
const URLS = [
  ...Object.keys(environment.shape).filter(name => name.endsWith('_URL')),
  ...Object.values<Choice<never, unknown>>({ ...SLIP_PROVIDERS, ...SUPPLIERS }).map(({ baseUrl }) => baseUrl.variable),
]
/** Addresses that are not web addresses. All others must be https in production. */
const NO_WEB_URLS = ['DATABASE_URL', 'SMTP_URL']

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

/** Names what a configured service still lacks in production. */
const unserved = (env: Given): Flaw[] =>
  Object.values(SERVICE).flatMap(({ needs: [first], needsInProduction = [] }) =>
    needsInProduction.map(
      (name): Flaw => [
        first !== undefined && env[first] !== undefined && env[name] === undefined,
        `${first} needs ${name}`,
      ],
    ),
  )

/** Names what production does not allow. For example, a stand-in for an identity issuer accepts any identity. */
function productionFlaws(config: Config, env: Given): string[] {
  const isLineItself = config.LINE_API_BASE_URL === LINE_API && config.LINE_ACCESS_BASE_URL === LINE_ACCESS
  const flaws: Flaw[] = [
    ...CHOSEN_IN_PRODUCTION.map((name): Flaw => [env[name] === undefined, `${name} must be set`]),
    [
      config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
      'FIREBASE_AUTH_EMULATOR_HOST must not be set in production: the emulator accepts forged tokens',
    ],
    [config.GCLOUD_PROJECT === DEMO_PROJECT, `GCLOUD_PROJECT must name a project, not ${DEMO_PROJECT}`],
    [!isLineItself, 'LINE_API_BASE_URL and LINE_ACCESS_BASE_URL must be LINE itself in production'],
    [
      env.PIN_KEYS !== undefined && config.PIN_KEYS.some(isDevelopmentPinKey),
      'PIN_KEYS must not hold the secret of development',
    ],
    [
      config.PROXIES_IN_FRONT > 1 && config.FRONT_SECRET.length === 0,
      'PROXIES_IN_FRONT above 1 needs FRONT_SECRET: whoever goes past the first proxy would choose their address',
    ],
    ...plainUrls(env),
    ...unserved(env),
  ]
  return flaws.filter(([isSo]) => isSo).map(([, message]) => message)
}
