import { pgTable, text } from 'drizzle-orm/pg-core'
import { account } from '../account/tables.ts'

/** The bank account an agent pays from. */
export const agentBank = pgTable('agent_bank', {
  uid: text()
    .primaryKey()
    .references(() => account.uid),
  bankCode: text('bank_code').notNull(),
  bankAccount: text('bank_account').notNull(),
})
