import type { Satang } from '@shop/shared/money.ts'
import { type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import type { Sql } from '../database/database.ts'
import { option } from './tables.ts'

/** What a single person may not decide alone above, in satang. */
export async function findTwoPersonAmount(db: Sql): Promise<Satang> {
  return (await findOptions(db)).TWO_PERSON_APPROVAL_AMOUNT * 100
}

export async function findOptions(db: Sql): Promise<Options> {
  const rows = await db.orm.select({ name: option.name, value: option.value }).from(option)
  return optionsFrom(Object.fromEntries(rows.map(row => [row.name, row.value])))
}
