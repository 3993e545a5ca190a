import type { ManagedBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { type LastChange, lastChangeOf, type StoredLastChange, viewLastChange } from '../settings/catalogue-change.ts'
import { banner } from './tables.ts'

/** The fields of a banner that staff write. */
export type BannerFields = Pick<ManagedBanner, 'picture' | 'description' | 'gameId' | 'isActive'>

const b = under(banner, 'b')
const SAVED = lastChangeOf(b)
const BANNERS = sql`SELECT ${row<Omit<ManagedBanner, keyof LastChange> & StoredLastChange>({
  ...pick(b, 'id', 'picture', 'description', 'gameId', 'isActive'),
  no: b.position,
  ...SAVED.fields,
})}
  FROM ${b} ${SAVED.join} ORDER BY ${b.position}, ${b.id}`

/** Returns all banners in order, also those that are switched off. */
export async function findManagedBanners(db: Sql): Promise<ManagedBanner[]> {
  const rows = await db.query({ text: BANNERS })
  return rows.map(viewLastChange)
}
