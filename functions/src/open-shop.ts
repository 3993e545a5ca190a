import { AppError } from '@shop/shared/errors.ts'
import { createFirebaseIdentity } from './account/identity-provider.ts'
import { createLineLogin, type LineLogin } from './account/line-login.ts'
import { createPins } from './account/pins.ts'
import { createTokenVerifier } from './account/token.ts'
import { openCatalogue } from './catalogue/catalogue-source.ts'
import { createHttpPlayerLookup, type PlayerProvider, rememberPlayers } from './catalogue/player-lookup.ts'
import { createHttpQmsGames, noQmsGames } from './catalogue/qms-games.ts'
import { createLineMessaging, type LineMessaging } from './chat/line-messaging.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { factsOf, log } from './http/log.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { openFacts } from './order/facts-store.ts'
import { openOrderStore } from './order/placing-store.ts'
import type { Shop } from './shop.ts'
import { createEasySlip } from './slipcheck/easyslip.ts'
import type { SlipProvider } from './slipcheck/provider.ts'
import { createSlipOk } from './slipcheck/slipok.ts'
import type { Supplier } from './supplier/provider.ts'
import { createSeagm } from './supplier/seagm.ts'
import { openFiles } from './upload/files.ts'

/** Without a provider nobody can be looked up; the check is then switched off by the CHECK_MIDASBUY option. */
const noLookup: PlayerProvider = {
  findPlayer: async () => {
    throw new AppError('PLAYER_NOT_FOUND')
  },
}

/** LINE Login as the configuration describes it; null without a channel. */
export function lineLoginOf(config: Config, now: () => Date): LineLogin | null {
  const { LINE_LOGIN_CHANNEL_ID: channelId, LINE_LOGIN_CHANNEL_SECRET: channelSecret } = config
  if (!channelId || !channelSecret) return null
  return createLineLogin({
    channelId,
    channelSecret,
    apiBaseUrl: config.LINE_API_BASE_URL,
    accessBaseUrl: config.LINE_ACCESS_BASE_URL,
    callbackUrl: new URL('/login', config.STOREFRONT_URL).href,
    scope: config.LINE_LOGIN_SCOPE,
    now,
  })
}

function providerOf({ PLAYER_LOOKUP_URL, PLAYER_LOOKUP_TIMEOUT_MS }: Config): PlayerProvider {
  if (!PLAYER_LOOKUP_URL) return noLookup
  return createHttpPlayerLookup({ baseUrl: PLAYER_LOOKUP_URL, timeoutMs: PLAYER_LOOKUP_TIMEOUT_MS })
}

/** Who checks slips, as the configuration chooses; null when it says "off". */
export function slipProviderOf(config: Config): SlipProvider | null {
  const { SLIP_PROVIDER, SLIPOK_BRANCH_ID: branchId = '', SLIPOK_API_KEY, EASYSLIP_API_KEY } = config
  const timeoutMs = config.SLIP_TIMEOUT_MS
  const made: Record<Config['SLIP_PROVIDER'], () => SlipProvider | null> = {
    off: () => null,
    slipok: () => createSlipOk({ baseUrl: config.SLIPOK_BASE_URL, branchId, apiKey: SLIPOK_API_KEY ?? '', timeoutMs }),
    easyslip: () => createEasySlip({ baseUrl: config.EASYSLIP_BASE_URL, apiKey: EASYSLIP_API_KEY ?? '', timeoutMs }),
  }
  return made[SLIP_PROVIDER]()
}

/** Who delivers packages, as the configuration chooses; null when it says "off". */
export function supplierOf(config: Config, now: () => Date): Supplier | null {
  const { SUPPLIER, SEAGM_BASE_URL: baseUrl, SEAGM_UID: uid = '', SEAGM_SECRET_KEY: secretKey = '' } = config
  const made: Record<Config['SUPPLIER'], () => Supplier | null> = {
    off: () => null,
    seagm: () => createSeagm({ baseUrl, uid, secretKey, timeoutMs: config.SUPPLIER_TIMEOUT_MS, now }),
  }
  return made[SUPPLIER]()
}

/** What the shop says in LINE goes through; null without a channel. */
export function chatOf(config: Config): LineMessaging | null {
  const { LINE_CHANNEL_ACCESS_TOKEN: accessToken, LINE_API_BASE_URL: baseUrl, LINE_TIMEOUT_MS: timeoutMs } = config
  return accessToken ? createLineMessaging({ baseUrl, accessToken, timeoutMs }) : null
}

/** What the shop mails goes through; null without a server. */
export function mailOf(config: Config): Mailer | null {
  const { SMTP_URL: url, MAIL_FROM: from, SMTP_TIMEOUT_MS: timeoutMs } = config
  return url && from ? createMailer({ url, from, timeoutMs, requiresTls: config.NODE_ENV === 'production' }) : null
}

function databaseOf(config: Config): Database {
  return openDatabase(config.DATABASE_URL, {
    connections: config.DATABASE_CONNECTIONS,
    namedStatements: config.DATABASE_NAMED_STATEMENTS,
    timeoutMs: {
      connect: config.DATABASE_CONNECT_TIMEOUT_MS,
      statement: config.DATABASE_STATEMENT_TIMEOUT_MS,
      lock: config.DATABASE_LOCK_TIMEOUT_MS,
      idleInTransaction: config.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    onLost: error => log('WARNING', 'database connection lost', factsOf(error)),
    onUnlimited: message => log('ERROR', message),
  })
}

/** Puts the real parts together. */
export async function openShop(config: Config): Promise<Shop> {
  const now = () => new Date()
  // First, because it can fail: nothing else is left open then.
  const files = await openFiles({ folder: config.FILES_DIR, bucket: config.FILES_BUCKET })
  const db = databaseOf(config)
  return {
    config,
    now,
    db,
    catalogue: openCatalogue(db, { checkMs: config.CATALOGUE_CHECK_MS }),
    verifyToken: createTokenVerifier({
      projectId: config.GCLOUD_PROJECT,
      emulator: config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
      now,
    }),
    identityProvider: createFirebaseIdentity({
      projectId: config.GCLOUD_PROJECT,
      emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
    }),
    pins: createPins(config.PIN_KEYS),
    findFacts: openFacts(db),
    storeOrder: openOrderStore(db),
    lineLogin: lineLoginOf(config, now),
    playerLookup: rememberPlayers(providerOf(config), now),
    qmsGames: config.QMS_URL ? createHttpQmsGames({ baseUrl: config.QMS_URL }) : noQmsGames,
    files,
    slipProvider: slipProviderOf(config),
    supplier: supplierOf(config, now),
    chat: chatOf(config),
    mail: mailOf(config),
    limits: createRateLimits(config.limits, db),
  }
}
