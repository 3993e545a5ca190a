import * as z from 'zod'
import type { Sql } from '../database/database.ts'
import { option } from './tables.ts'

/** The shop's options with their types; what is missing or unreadable in the table takes the default. */
const settingsShape = z.object({
  PAYMENT_TIME_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(24 * 60)
    .catch(15),
  CHECK_MIDASBUY: z
    .string()
    .transform(value => value === 'true')
    .catch(false),
  ALLOW_GUEST_CHECKOUT: z
    .string()
    .transform(value => value === 'true')
    .catch(true),
  /** Baht; a top-up above it needs two approvers. */
  TWO_PERSON_APPROVAL_AMOUNT: z.coerce.number().int().min(0).catch(20_000),
  /** LINE official account people add as a friend, "@name". */
  LINE_OA_ID: z.string().catch(''),
})
export type Settings = z.output<typeof settingsShape>

export function settingsFrom(values: Record<string, string>): Settings {
  return settingsShape.parse(values)
}

export async function findSettings(db: Sql): Promise<Settings> {
  const rows = await db.orm.select({ name: option.name, value: option.value }).from(option)
  return settingsFrom(Object.fromEntries(rows.map(row => [row.name, row.value])))
}
