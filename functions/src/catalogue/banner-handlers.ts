import type { ManagedBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { type CatalogueChange, changeCatalogue, mustBeCurrent } from '../settings/catalogue-change.ts'
import { reorder } from './arrangement.ts'
import { saveRow } from './arrangement-store.ts'
import { type BannerFields, findManagedBanners } from './banner-store.ts'
import { mustFindManagedGame } from './game-handlers.ts'
import { mustBeUploaded } from './pictures.ts'
import { banner } from './tables.ts'

/** Returns the fields of a banner that the audit log stores: those that a save would write. */
const fieldsOf = ({ picture, description, gameId, isActive }: BannerFields) => ({
  picture,
  description,
  gameId,
  isActive,
})

/** Writes a banner and its audit entry. */
export async function writeBanner(
  change: CatalogueChange,
  fields: BannerFields,
  read: ManagedBanner | null,
  action: 'banner.save' | 'change.undo',
): Promise<ManagedBanner> {
  const id = await saveRow(change, banner, fieldsOf(fields), read)
  const saved = (await findManagedBanners(change.tx)).find(each => each.id === id)
  invariant(saved, 'the banner was just saved')
  await change.audit({ action, subject: `banner:${id}`, before: read && fieldsOf(read), after: fieldsOf(saved) })
  return saved
}

export async function mustFindBanner({ tx }: CatalogueChange, id: number): Promise<ManagedBanner> {
  const read = (await findManagedBanners(tx)).find(each => each.id === id)
  if (!read) throw new AppError('NOT_FOUND')
  return read
}

async function saveBanner(
  context: Context,
  { id, version, ...fields }: ParsedInput<typeof contract.saveBanner>['body'],
) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const read = id === undefined ? null : await mustFindBanner(change, id)
    if (read) mustBeCurrent(version, read)
    await mustBeUploaded(context.shop.files, { picture: fields.picture }, read)
    if (fields.gameId !== null) await mustFindManagedGame(change.tx, fields.gameId, change.person.now)
    return writeBanner(change, fields, read, 'banner.save')
  })
}

export const bannerRoutes: Route[] = [
  route(contract.listManagedBanners, (_, { shop }) => findManagedBanners(shop.db)),
  route(contract.saveBanner, ({ body }, context) => saveBanner(context, body)),
  route(contract.reorderBanners, ({ body }, context) =>
    changeCatalogue(context.shop, personOf(context), async change => {
      await reorder(change, { table: 'banner', ...body, action: 'banner.reorder', notFound: 'NOT_FOUND' })
      return findManagedBanners(change.tx)
    }),
  ),
]
