import { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import type { PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { uploadBanner } from '@shop/shared/catalogue/picture-endpoints.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import type { EndpointInput, EndpointShape } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import sharp from 'sharp'
import type { TestCaller, TestShop } from './shop.ts'

/** Uploads a picture for a game or a banner. Returns its address. */
export async function uploadedPicture(it: TestShop): Promise<string> {
  const png = sharp({ create: { width: 8, height: 8, channels: 3, background: '#e8f6ee' } }).png()
  const file = new Blob([new Uint8Array(await png.toBuffer())])
  return (await it.as('admin').call(uploadBanner, { file })).url
}

/** What staff would save of a new game. */
export const newGame = (change: Record<string, unknown> = {}) => ({
  code: 'newgame',
  name: 'New Game',
  desc: '',
  picture: '',
  regions: ['th'],
  languages: ['th'],
  platforms: ['ios'],
  fieldLabels: ['Player ID', '', '', '', ''],
  fieldFormats: [null, null, null, null, null],
  usualMinutes: { from: 5, to: 15 },
  isActive: true,
  ...change,
})

/** A price as the dialog sends it. */
export const price = (payment: PriceCode, change: Partial<PriceEdit> = {}): PriceEdit => ({
  payment,
  priceSatang: 10_000,
  startDay: '2026-11-20',
  endDay: null,
  isActive: true,
  nextPriceSatang: null,
  nextDay: null,
  ...change,
})

/** A new package of a game with these prices. */
export async function addPackage(
  it: TestShop,
  gameId: number,
  prices: PriceEdit[],
  name = 'New package',
): Promise<contract.ManagedPackage> {
  const manager = it.as('manager')
  const made = await manager.call(contract.savePackage, { body: { gameId, name, isActive: true } })
  if (prices.length === 0) return made
  return manager.call(contract.savePrices, { body: { packageId: made.id, version: made.version, prices } })
}

/** The package as the back office lists it. */
export async function findPackage(it: TestShop, gameId: number, id: number): Promise<contract.ManagedPackage> {
  const page = await it
    .as('manager')
    .call(contract.listManagedPackages, { params: { gameId }, query: { pageSize: 100 } })
  return page.rows.find(each => each.id === id)!
}

/** What a call fails with; crashes when it does not. */
export async function failureOf<E extends EndpointShape>(
  caller: TestCaller,
  endpoint: E,
  input: EndpointInput<E>,
): Promise<AppError> {
  const answer = await caller.call(endpoint, input).catch((error: unknown) => error)
  if (answer instanceof AppError) return answer
  throw new Error(`expected a failure, got ${JSON.stringify(answer)}`)
}

export const versionOf = async (it: TestShop): Promise<number> =>
  (await it.as(null).call(getPublicConfig, {})).catalogueVersion

/** The last audit entry about a subject. */
export async function lastAudit(it: TestShop, subject: string) {
  const [entry] = await it.db.query<{ id: string; action: string; before: never; after: never; actor_uid: string }>({
    text: 'SELECT * FROM audit_entry WHERE subject = $1 ORDER BY at DESC, id DESC LIMIT 1',
    values: [subject],
  })
  return entry!
}

/** Changes of many packages by a manager: what one would do, and doing just that. */
export function bulkChanges(it: () => TestShop) {
  const send = (body: object) =>
    it()
      .as('manager')
      .call(changePackages, { body: body as never })
  const preview = (ids: number[], action: object) => send({ packages: { ids }, action })
  const bulk = async (ids: number[], action: object) => {
    const { mark } = await preview(ids, action)
    return send({ packages: { ids }, action, mark })
  }
  return { send, preview, bulk }
}
