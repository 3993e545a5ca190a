import type { Role } from '@shop/shared/permissions.ts'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** One row per person; the identity provider holds the credentials, this row holds what the shop decides. */
export const account = pgTable(
  'account',
  {
    uid: text().primaryKey(),
    username: text().notNull(),
    providers: text().array().notNull(),
    name: text().notNull().default(''),
    surname: text().notNull().default(''),
    /** E.164 */
    tel: text(),
    email: text(),
    emailVerified: boolean('email_verified').notNull().default(false),
    reward: integer().notNull().default(0),
    status: text().$type<'pending' | 'active' | 'inactive'>().notNull().default('pending'),
    role: text().$type<Role>().notNull().default('customer'),
    isPasswordChange: boolean('is_password_change').notNull().default(true),
    isPinChange: boolean('is_pin_change').notNull().default(true),
    /** Tokens issued before this are refused. */
    tokensValidAfter: instant('tokens_valid_after'),
    createdAt: instant('created_at').notNull(),
  },
  t => [index('account_role_created').on(t.role, t.createdAt), index('account_created').on(t.createdAt)],
)
