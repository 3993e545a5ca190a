import type { ManagedBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import { eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { columns } from '../database/listing.ts'
import {
  type CatalogueChange,
  type LastChange,
  lastChangeOf,
  type StoredLastChange,
  stampOf,
  viewLastChange,
} from '../settings/catalogue-change.ts'
import { nextPosition } from './arrangement-store.ts'
import { banner } from './tables.ts'

/** The fields of a banner that staff write. */
export type BannerFields = Pick<ManagedBanner, 'picture' | 'description' | 'isActive'>

const SAVED = lastChangeOf('b')
const BANNER = columns<Omit<ManagedBanner, keyof LastChange>>({
  id: 'b.id',
  no: 'b.position',
  picture: 'b.picture',
  description: 'b.description',
  isActive: 'b.is_active',
})

/** Returns all banners in order, also those that are switched off. */
export async function findManagedBanners(db: Sql): Promise<ManagedBanner[]> {
  const rows = await db.query<ManagedBanner & StoredLastChange>({
    text: `SELECT ${BANNER}, ${SAVED.columns}
      FROM banner b ${SAVED.join} ORDER BY b.position, b.id`,
  })
  return rows.map(viewLastChange)
}

/** Adds a banner at the end, or overwrites the one that was read. Returns its id. */
export async function saveBannerRow(
  change: CatalogueChange,
  fields: BannerFields,
  read: Pick<ManagedBanner, 'id' | 'version'> | null,
): Promise<number> {
  const { orm } = change.tx
  const row = { ...fields, ...stampOf(change, (read?.version ?? 0) + 1) }
  if (read) {
    await orm.update(banner).set(row).where(eq(banner.id, read.id))
    return read.id
  }
  const position = await nextPosition(change.tx, 'banner')
  const [made] = await orm
    .insert(banner)
    .values({ ...row, position })
    .returning({ id: banner.id })
  return made!.id
}
