import * as shop from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPackage, failureOf, newGame, price } from '../testing/catalogue.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const save = (body: object) => it.as('manager').call(contract.saveGame, { body: body as never })
const refusal = (body: object) => failureOf(it.as('manager'), contract.saveGame, { body: body as never })
const managed = async (id: number) =>
  (await it.as('manager').call(contract.listManagedGames, {})).find(game => game.id === id)!

test('a game is still found under the codes it had; another may take one only when asked', async () => {
  const made = await save(newGame({ code: 'first-code' }))
  const renamed = await save({ ...made, code: 'second-code' })
  expect(renamed.oldCodes).toEqual(['first-code'])
  await addPackage(it, made.id, [price('bank')])
  const shown = await it.as(null).call(shop.listGamePackages, { params: { gameCode: 'first-code' } })
  expect(shown[0]).toMatchObject({ gameCode: 'second-code' })
  const offer = await it.as(null).call(shop.getGameOffer, { params: { gameCode: 'first-code' } })
  expect(offer.game.code).toBe('second-code')
  const games = await it.as(null).call(shop.listGames, {})
  expect(games.find(({ id }) => id === made.id)!.oldCodes).toEqual(['first-code'])
  const taking = newGame({ code: 'first-code', name: 'Other' })
  expect(await refusal(taking)).toMatchObject({
    code: 'GAME_CODE_OF_OTHER',
    message: 'รหัส first-code เคยเป็นของ New Game ลิงก์เก่ายังพาไปเกมนั้น',
  })
  expect((await save({ ...renamed, code: 'first-code' })).oldCodes).toEqual(['second-code'])
  const back = await save({ ...(await managed(made.id)), code: 'second-code' })
  expect((await save({ ...taking, takesOldCode: true })).code).toBe('first-code')
  expect((await managed(back.id)).oldCodes).toEqual([])
})

test('an input that is switched off is not asked for and keeps its label, format and choices', async () => {
  const zone = { kind: 'choices', choices: ['Asia', 'Europe'] }
  const fields = { fieldLabels: ['UID', 'Zone', '', '', ''], fieldFormats: [null, zone, null, null, null] }
  const made = await save(newGame({ code: 'with-zone', ...fields }))
  const off = await save({ ...made, fieldsOn: [true, false, true, true, true] })
  expect(off).toMatchObject(fields)
  await addPackage(it, made.id, [price('bank')])
  const sold = async () => {
    const games = await it.as(null).call(shop.listGames, {})
    return games.find(({ id }) => id === made.id)!.fields.map(({ label }) => label)
  }
  expect(await sold()).toEqual(['UID'])
  await save({ ...off, fieldsOn: [true, true, true, true, true] })
  expect(await sold()).toEqual(['UID', 'Zone'])
})
