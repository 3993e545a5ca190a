import type { GatewayName, SlipProviderName, SupplierName } from '@shop/shared/provider-names.ts'
import { createLineLogin } from '../account/line-login.ts'
import type { Chosen } from '../asking/choice.ts'
import { openPlayerLookup } from '../catalogue/player-lookup.ts'
import { createG2BulkPlayers, createMidasbuyPlayers } from '../catalogue/player-sources.ts'
import { createHttpQmsGames, noQmsGames } from '../catalogue/qms-games.ts'
import { createLineMessaging } from '../chat/line-messaging.ts'
import { createBankRates } from '../cost/bank-rates.ts'
import type { Environment } from '../environment/environment.ts'
import { GATEWAYS } from '../gateway/gateways.ts'
import { createMailer } from '../mail/mailer.ts'
import { noteKey } from '../pulse/note-key.ts'
import { type Beat, unkept, withPulseOfGateway, withPulseOfLogin } from '../pulse/pulse.ts'
import type { SecretName } from '../pulse/secret-names.ts'
import type { Shop } from '../shop/shop.ts'
import { SLIP_PROVIDERS } from '../slipcheck/providers.ts'
import type { InSatang } from '../supplier/provider.ts'
import { onlyBaht } from '../supplier/rates.ts'
import { SUPPLIERS } from '../supplier/suppliers.ts'
import { createWebhooks } from '../webhook/post.ts'

/** Every outside service that the shop calls, except the stores of its files and accounts. */
export type Services = Pick<
  Shop,
  | 'lineLogin'
  | 'playerLookup'
  | 'qmsGames'
  | 'slipProvider'
  | 'suppliers'
  | 'bankRates'
  | 'gateway'
  | 'chat'
  | 'mail'
  | 'webhooks'
>

/** The settings that services are made from. */
export interface Settings extends Environment {
  LINE_ACCESS_BASE_URL: string
  slipProvider: Chosen<SlipProviderName> | null
  suppliers: readonly Chosen<SupplierName>[]
  gateway: Chosen<GatewayName> | null
}

interface Service<Made> {
  /** Variables that must be set together or not at all. */
  needs: readonly (keyof Environment)[]
  /** Makes the service's client. Without configuration it is null, or a stand-in that does nothing. */
  make(settings: Settings, now: () => Date, beat?: Beat, inSatang?: InSatang): Made
}

/** Keeps which of several keys of a chosen service were accepted. */
const notingKeys =
  ({ keys }: Chosen, beat: Beat) =>
  async (accepted: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(accepted)) {
      const all = [...new Set(keys.map(each => each[name]!))]
      await noteKey(beat, name as SecretName, all, value)
    }
  }

/** The table of all services. The slip providers, suppliers and gateways to choose from have tables of their own. */
export const SERVICE: { [Kind in keyof Services]: Service<Services[Kind]> } = {
  lineLogin: {
    needs: ['LINE_LOGIN_CHANNEL_ID', 'LINE_LOGIN_CHANNEL_SECRET'],
    make(settings, now, beat = unkept) {
      const { LINE_LOGIN_CHANNEL_ID: channelId, LINE_LOGIN_CHANNEL_SECRET: secrets } = settings
      if (!channelId || secrets.length === 0) return null
      const login = createLineLogin({
        channelId,
        channelSecrets: secrets,
        onAccepted: secret => noteKey(beat, 'LINE_LOGIN_CHANNEL_SECRET', secrets, secret),
        apiBaseUrl: settings.LINE_API_BASE_URL,
        accessBaseUrl: settings.LINE_ACCESS_BASE_URL,
        callbackUrl: new URL('/login', settings.STOREFRONT_URL).href,
        scope: settings.LINE_LOGIN_SCOPE,
        now,
      })
      return withPulseOfLogin(login, beat)
    },
  },
  playerLookup: {
    needs: [],
    make({ PLAYER_LOOKUP_URL, G2BULK_URL, PLAYER_LOOKUP_TIMEOUT_MS: timeoutMs }, now, beat = unkept) {
      const sources = {
        ...(PLAYER_LOOKUP_URL && { midasbuy: createMidasbuyPlayers({ baseUrl: PLAYER_LOOKUP_URL, timeoutMs }) }),
        ...(G2BULK_URL && { g2bulk: createG2BulkPlayers({ baseUrl: G2BULK_URL, timeoutMs }) }),
      }
      return openPlayerLookup(sources, { timeoutMs, now, beat })
    },
  },
  qmsGames: {
    needs: ['QMS_URL'],
    make: ({ QMS_URL: baseUrl }) => (baseUrl ? createHttpQmsGames({ baseUrl }) : noQmsGames),
  },
  slipProvider: {
    needs: [],
    make: ({ slipProvider: chosen, SLIP_TIMEOUT_MS: timeoutMs }, _, beat = unkept) =>
      chosen && SLIP_PROVIDERS[chosen.name].make({ ...chosen, timeoutMs, onAccepted: notingKeys(chosen, beat) }),
  },
  suppliers: {
    needs: [],
    make: ({ suppliers, SUPPLIER_TIMEOUT_MS: timeoutMs }, now, beat = unkept, inSatang = onlyBaht) =>
      Object.fromEntries(
        suppliers.map(chosen => {
          const onAccepted = notingKeys(chosen, beat)
          return [chosen.name, SUPPLIERS[chosen.name].make({ ...chosen, timeoutMs, now, onAccepted, inSatang })]
        }),
      ),
  },
  bankRates: {
    needs: [],
    make({ BOT_API_URL: baseUrl, BOT_API_KEY: keys, SUPPLIER_TIMEOUT_MS: timeoutMs }, _, beat = unkept) {
      if (keys.length === 0) return null
      const onAccepted = (key: string) => noteKey(beat, 'BOT_API_KEY', keys, key)
      return createBankRates({ baseUrl, keys, timeoutMs, onAccepted })
    },
  },
  gateway: {
    needs: [],
    make({ gateway: chosen, GATEWAY_TIMEOUT_MS: timeoutMs }, now, beat = unkept) {
      if (!chosen) return null
      const onAccepted = notingKeys(chosen, beat)
      return withPulseOfGateway(GATEWAYS[chosen.name].make({ ...chosen, timeoutMs, now, onAccepted }), beat)
    },
  },
  chat: {
    needs: ['LINE_CHANNEL_ACCESS_TOKEN', 'LINE_CHANNEL_SECRET'],
    make(settings, _, beat = unkept) {
      const {
        LINE_CHANNEL_ACCESS_TOKEN: accessTokens,
        LINE_API_BASE_URL: baseUrl,
        LINE_TIMEOUT_MS: timeoutMs,
      } = settings
      if (accessTokens.length === 0) return null
      const onAccepted = (token: string) => noteKey(beat, 'LINE_CHANNEL_ACCESS_TOKEN', accessTokens, token)
      return createLineMessaging({ baseUrl, accessTokens, timeoutMs, onAccepted })
    },
  },
  mail: {
    needs: ['SMTP_URL', 'MAIL_FROM'],
    make({ SMTP_URL: urls, MAIL_FROM: from, SMTP_TIMEOUT_MS: timeoutMs, NODE_ENV }, _, beat = unkept) {
      if (urls.length === 0 || !from) return null
      const onAccepted = (url: string) => noteKey(beat, 'SMTP_URL', urls, url)
      return createMailer({ urls, from, timeoutMs, requiresTls: NODE_ENV === 'production', onAccepted })
    },
  },
  webhooks: {
    needs: [],
    make: ({ WEBHOOK_LOCAL_ORIGIN: localOrigin }) => createWebhooks({ localOrigin }),
  },
}

/** Opens all services as the configuration describes them. @param inSatang without it suppliers know prices in baht only */
export const openServices = (settings: Settings, now: () => Date, beat?: Beat, inSatang?: InSatang): Services =>
  Object.fromEntries(
    Object.entries(SERVICE).map(([kind, service]) => [kind, service.make(settings, now, beat, inSatang)]),
  ) as unknown as Services
