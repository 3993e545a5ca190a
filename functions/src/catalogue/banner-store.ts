import type { ManagedBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { type LastChange, lastChangeOf, type StoredLastChange, viewLastChange } from '../settings/catalogue-change.ts'
import { banner } from './tables.ts'

/** The fields of a banner that staff write. */
export type BannerFields = Pick<ManagedBanner, 'picture' | 'description' | 'gameId' | 'isActive'>

const SAVED = lastChangeOf('b')
const BANNER = columns<Omit<ManagedBanner, keyof LastChange>>({
  ...sqlOf(banner, 'b', 'id', 'picture', 'description', 'gameId', 'isActive'),
  no: 'b.position',
})

/** Returns all banners in order, also those that are switched off. */
export async function findManagedBanners(db: Sql): Promise<ManagedBanner[]> {
  const rows = await db.query<ManagedBanner & StoredLastChange>({
    text: `SELECT ${BANNER}, ${SAVED.columns}
      FROM banner b ${SAVED.join} ORDER BY b.position, b.id`,
  })
  return rows.map(viewLastChange)
}
