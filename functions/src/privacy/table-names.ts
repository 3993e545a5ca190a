import type * as accountTables from '../account/tables.ts'
import type * as agentTables from '../agent/tables.ts'
import type * as auditTables from '../audit/tables.ts'
import type * as catalogueTables from '../catalogue/tables.ts'
import type * as chatTables from '../chat/tables.ts'
import type * as costTables from '../cost/tables.ts'
import type * as dashboardTables from '../dashboard/tables.ts'
import type * as gatewayTables from '../gateway/tables.ts'
import type * as httpTables from '../http/tables.ts'
import type * as mailTables from '../mail/tables.ts'
import type * as orderTables from '../order/tables.ts'
import type * as outboxTables from '../outbox/tables.ts'
import type * as healthTables from '../pulse/tables.ts'
import type * as resellerTables from '../reseller/tables.ts'
import type * as restoreTables from '../restore/tables.ts'
import type * as settingsTables from '../settings/tables.ts'
import type * as slipTables from '../slipcheck/tables.ts'
import type * as statementTables from '../statement/tables.ts'
import type * as supplierTables from '../supplier/tables.ts'
import type * as transferTables from '../transfer/tables.ts'
import type * as uploadTables from '../upload/tables.ts'
import type * as valueTables from '../value/tables.ts'
import type * as voucherTables from '../voucher/tables.ts'
import type * as walletTables from '../wallet/tables.ts'
import type * as webhookTables from '../webhook/tables.ts'
import type * as privacyTables from './tables.ts'

type Tables = typeof accountTables &
  typeof agentTables &
  typeof auditTables &
  typeof catalogueTables &
  typeof chatTables &
  typeof dashboardTables &
  typeof gatewayTables &
  typeof healthTables &
  typeof httpTables &
  typeof mailTables &
  typeof orderTables &
  typeof outboxTables &
  typeof privacyTables &
  typeof resellerTables &
  typeof restoreTables &
  typeof settingsTables &
  typeof slipTables &
  typeof statementTables &
  typeof costTables &
  typeof supplierTables &
  typeof transferTables &
  typeof uploadTables &
  typeof valueTables &
  typeof voucherTables &
  typeof walletTables &
  typeof webhookTables

/** The names of all tables, from their declarations. */
export type TableName = {
  [K in keyof Tables]: Tables[K] extends { _: { name: infer Name extends string } } ? Name : never
}[keyof Tables]
