import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as accountTables from '../account/tables.ts'
import * as agentTables from '../agent/tables.ts'
import * as auditTables from '../audit/tables.ts'
import * as catalogueTables from '../catalogue/tables.ts'
import * as chatTables from '../chat/tables.ts'
import * as costTables from '../cost/tables.ts'
import * as dashboardTables from '../dashboard/tables.ts'
import * as gatewayTables from '../gateway/tables.ts'
import * as httpTables from '../http/tables.ts'
import * as mailTables from '../mail/tables.ts'
import * as orderTables from '../order/tables.ts'
import * as outboxTables from '../outbox/tables.ts'
import * as healthTables from '../pulse/tables.ts'
import * as resellerTables from '../reseller/tables.ts'
import * as restoreTables from '../restore/tables.ts'
import * as settingsTables from '../settings/tables.ts'
import * as slipTables from '../slipcheck/tables.ts'
import * as statementTables from '../statement/tables.ts'
import * as supplierTables from '../supplier/tables.ts'
import * as transferTables from '../transfer/tables.ts'
import * as uploadTables from '../upload/tables.ts'
import * as valueTables from '../value/tables.ts'
import * as voucherTables from '../voucher/tables.ts'
import * as walletTables from '../wallet/tables.ts'
import * as webhookTables from '../webhook/tables.ts'
import * as privacyTables from './tables.ts'

const ROOMS = [
  accountTables,
  agentTables,
  auditTables,
  catalogueTables,
  chatTables,
  costTables,
  dashboardTables,
  gatewayTables,
  healthTables,
  httpTables,
  mailTables,
  orderTables,
  outboxTables,
  privacyTables,
  resellerTables,
  restoreTables,
  settingsTables,
  slipTables,
  statementTables,
  supplierTables,
  transferTables,
  uploadTables,
  valueTables,
  voucherTables,
  walletTables,
  webhookTables,
] as const

/** All tables of the shop. */
export const TABLES: readonly PgTable[] = ROOMS.flatMap(room => Object.values<unknown>(room)).filter(each =>
  is(each, PgTable),
)

type NamesIn<Room> = Room extends unknown
  ? { [K in keyof Room]: Room[K] extends { _: { name: infer Name extends string } } ? Name : never }[keyof Room]
  : never
/** The names of all tables, from their declarations. */
export type TableName = NamesIn<(typeof ROOMS)[number]>
