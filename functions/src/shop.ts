import type { IdentityProvider } from './account/identity-provider.ts'
import type { Pins } from './account/pins.ts'
import type { TokenVerifier } from './account/token.ts'
import type { CatalogueSource } from './catalogue/catalogue-source.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { RateLimits } from './http/rate-limit.ts'
import type { FindFacts } from './order/facts-store.ts'
import type { StoreOrder } from './order/placing-store.ts'
import type { Services } from './outside.ts'
import type { Files } from './upload/files.ts'

/** Everything a handler may use. Made once at start; tests put other parts in. */
export interface Shop extends Services {
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
  files: Files
  limits: RateLimits
}
