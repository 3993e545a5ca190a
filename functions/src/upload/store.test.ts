import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addSlip } from '../testing/wallet.ts'
import { findSlip, releaseSlip, useSlip } from './store.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const uploaderKey = 'u:customer'
const usedForOf = async (slipId: string) => (await findSlip(it.db, slipId))?.usedFor

test('a slip is freed by what it was given for, and by nothing else', async () => {
  const [slipId, usedFor] = [await addSlip(it, uploaderKey), uuidv7()]
  const use = { slipId, uploaderKey, usedFor }
  await useSlip(it.db, use)
  await useSlip(it.db, use)
  await releaseSlip(it.db, slipId, uuidv7())
  expect(await usedForOf(slipId)).toBe(usedFor)
  await releaseSlip(it.db, slipId, usedFor)
  expect(await usedForOf(slipId)).toBeNull()
})
