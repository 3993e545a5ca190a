import {
  checkClock,
  checkFirstData,
  checkPlace,
  checkReach,
  checkRole,
  checkSchema,
  checkSettings,
} from './database-checks.ts'
import { checkBot, checkLiff, checkLogin, checkWebhook } from './line-checks.ts'
import {
  checkAccounts,
  checkFiles,
  checkGateway,
  checkMail,
  checkSigning,
  checkSlipProvider,
  checkStorefront,
  checkSupplierBalances,
} from './outside-checks.ts'
import type { Finding, Patient } from './patient.ts'
import { checkReturn } from './return-check.ts'
import { checkDisks, checkPatroni, checkReplica, checkSigns, checkStandbys } from './standing-by-checks.ts'

export interface Check {
  /** What the line begins with. */
  about: string
  /** Whether it can't be asked without the database. */
  inDatabase?: boolean
  run(patient: Patient): Promise<Finding | Finding[]>
}

/** Everything that is looked at, in the order in which it is told. */
export const CHECK = {
  reach: { about: 'database', run: checkReach },
  place: { about: 'version, collation', inDatabase: true, run: checkPlace },
  role: { about: 'role and its rights', inDatabase: true, run: checkRole },
  schema: { about: 'schema', inDatabase: true, run: checkSchema },
  settings: { about: 'limits, settings', inDatabase: true, run: checkSettings },
  firstData: { about: 'first data', inDatabase: true, run: checkFirstData },
  clock: { about: 'clock', inDatabase: true, run: checkClock },
  replica: { about: 'replica of reports', inDatabase: true, run: checkReplica },
  standbys: { about: 'standbys', inDatabase: true, run: checkStandbys },
  patroni: { about: 'Patroni', run: checkPatroni },
  signs: { about: 'backups, watcher', inDatabase: true, run: checkSigns },
  disks: { about: 'disks', run: checkDisks },
  files: { about: 'uploads', run: checkFiles },
  accounts: { about: 'accounts', run: checkAccounts },
  signing: { about: 'signing tokens', run: checkSigning },
  return: { about: 'Google, Facebook', run: checkReturn },
  bot: { about: 'LINE messages', run: checkBot },
  webhook: { about: 'LINE webhook', run: checkWebhook },
  login: { about: 'LINE sign-in', run: checkLogin },
  liff: { about: 'LIFF', run: checkLiff },
  slipProvider: { about: 'slip provider', run: checkSlipProvider },
  supplier: { about: 'supplier', run: checkSupplierBalances },
  gateway: { about: 'payment gateway', run: checkGateway },
  mail: { about: 'mail', run: checkMail },
  storefront: { about: 'storefront', run: checkStorefront },
} as const satisfies Record<string, Check>
