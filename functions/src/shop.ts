import type { IdentityProvider } from './account/identity-provider.ts'
import type { LineLogin } from './account/line-login.ts'
import type { Pins } from './account/pins.ts'
import type { TokenVerifier } from './account/token.ts'
import type { CatalogueSource } from './catalogue/catalogue-source.ts'
import type { PlayerLookup } from './catalogue/player-lookup.ts'
import type { QmsGames } from './catalogue/qms-games.ts'
import type { LineMessaging } from './chat/line-messaging.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { Mailer } from './mail/mailer.ts'
import type { FindFacts } from './order/facts-store.ts'
import type { StoreOrder } from './order/placing-store.ts'
import type { SlipProvider } from './slipcheck/provider.ts'
import type { Supplier } from './supplier/provider.ts'
import type { Files } from './upload/files.ts'

/** Everything a handler may use. Made once at start; tests put other parts in. */
export interface Shop {
  config: Config
  db: Database
  now: () => Date
  /** What the shop sells and says, in memory. */
  catalogue: CatalogueSource
  verifyToken: TokenVerifier
  identityProvider: IdentityProvider
  pins: Pins
  /** Reads what a purchase is decided on, those of the same moment together. */
  findFacts: FindFacts
  /** Stores new orders, those of the same moment together. */
  storeOrder: StoreOrder
  /** null when LINE Login is not configured. */
  lineLogin: LineLogin | null
  playerLookup: PlayerLookup
  qmsGames: QmsGames
  files: Files
  /** null when slips are not checked. */
  slipProvider: SlipProvider | null
  /** null when nothing is delivered by itself. */
  supplier: Supplier | null
  /** null when the shop says nothing in LINE. */
  chat: LineMessaging | null
  /** null when the shop sends no mail. */
  mail: Mailer | null
  limits: RateLimits
}
