import type { Audience } from '@shop/shared/permissions.ts'
import type { IdentityProvider } from '../account/identity-provider.ts'
import type { KeyRing } from '../account/key-ring.ts'
import type { Pins } from '../account/pins.ts'
import type { SigningKeys } from '../account/signing-keys.ts'
import type { TokenVerifier } from '../account/token.ts'
import type { CatalogueSource } from '../catalogue/catalogue-source.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../config/outside.ts'
import type { Database, Sql } from '../database/database.ts'
import type { Reports } from '../database/reports.ts'
import type { Answers } from '../health/answers.ts'
import type { LookAtDisks } from '../health/disks.ts'
import type { LookAtPatroni } from '../health/patroni.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { FindFacts } from '../order/placing/facts-store.ts'
import type { StoreOrder } from '../order/placing/placing-store.ts'
import type { Beat } from '../pulse/pulse.ts'
import type { KeyUse } from '../reseller/key-use.ts'
import type { Files } from '../upload/files.ts'
import type { VoucherKeys } from '../voucher/store.ts'

/** Everything that handlers may use. It is made once at the start. Tests replace some of its parts. */
export interface Shop extends Services {
  config: Config
  /** The primary: for everything that is decided or changed, and for what staff work at. */
  db: Database
  /**
   * A replica that is a few seconds old at most, else the primary: for dashboards, lists for reports, exports and the
   * nightly checks.
   */
  reports: Reports
  now: () => Date
  /** What the shop sells and says, kept in memory. */
  catalogue: CatalogueSource
  verifyToken: TokenVerifier
  /** What tokens are signed with; null with the Auth emulator, which signs none. */
  signingKeys: SigningKeys | null
  identityProvider: IdentityProvider
  pins: Pins
  /** Reads the facts that a purchase is decided on; purchases of the same moment share one statement. */
  findFacts: FindFacts
  /** Stores new orders; orders of the same moment share one statement. */
  storeOrder: StoreOrder
  files: Files
  /** Hides the codes that are sold; null when the shop has none. */
  vouchers: VoucherKeys | null
  limits: RateLimits
  /** The keys of agents' machines. */
  machineKeys: KeyRing
  /** Counts what is done with them. */
  keyUse: KeyUse
  /** Where durations are told. */
  metrics: Metrics
  /** Counts the answers that this process gave lately. */
  answers: Answers
  /** The disks that it lives on, as far as this process sees them. */
  disks: LookAtDisks
  /** What Patroni says of the database's machines, where there is one. */
  patroni: LookAtPatroni
  /** Keeps how jobs and services end. */
  beat: Beat
  /** Returns the audiences whose news reach nobody, as far as the shop can know. */
  findUnheard: (db: Sql) => Promise<Audience[]>
}
