import { type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import type { Sql } from '../database/database.ts'
import { option } from './tables.ts'

export async function findOptions(db: Sql): Promise<Options> {
  const rows = await db.orm.select({ name: option.name, value: option.value }).from(option)
  return optionsFrom(Object.fromEntries(rows.map(row => [row.name, row.value])))
}
