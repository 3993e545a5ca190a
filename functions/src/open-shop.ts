import { AppError } from '@shop/shared/errors.ts'
import { createFirebaseIdentity } from './account/identity-provider.ts'
import { createLineLogin, type LineLogin } from './account/line-login.ts'
import { createTokenVerifier } from './account/token.ts'
import { createHttpPlayerLookup, type PlayerProvider, rememberPlayers } from './catalogue/player-lookup.ts'
import { createHttpQmsGames, noQmsGames } from './catalogue/qms-games.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import { createRateLimits } from './http/rate-limit.ts'
import type { Shop } from './shop.ts'
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

/** Puts the real parts together. */
export async function openShop(config: Config): Promise<Shop> {
  const now = () => new Date()
  return {
    config,
    now,
    db: openDatabase(config.DATABASE_URL, { connections: config.DATABASE_CONNECTIONS }),
    verifyToken: createTokenVerifier({
      projectId: config.GCLOUD_PROJECT,
      emulator: config.FIREBASE_AUTH_EMULATOR_HOST !== undefined,
      now,
    }),
    identityProvider: createFirebaseIdentity({ projectId: config.GCLOUD_PROJECT }),
    lineLogin: lineLoginOf(config, now),
    playerLookup: rememberPlayers(providerOf(config), now),
    qmsGames: config.QMS_URL ? createHttpQmsGames({ baseUrl: config.QMS_URL }) : noQmsGames,
    files: await openFiles({ folder: config.FILES_DIR, bucket: config.FILES_BUCKET }),
    limits: createRateLimits(config.limits),
  }
}
