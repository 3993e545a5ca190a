import { undoChange } from '@shop/shared/audit/endpoints.ts'
import * as shop from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import * as methodContract from '@shop/shared/catalogue/method-endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, lastAudit, uploadedPicture, versionOf } from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const undo = async (subject: string) =>
  it.as('admin').codeOf(undoChange, { body: { auditId: (await lastAudit(it, subject)).id } })

describe('receiving accounts', () => {
  const list = () => it.as('admin').call(contract.listManagedAccounts, {})
  const save = (body: object) => it.as('admin').call(contract.saveReceivingAccount, { body: body as never })
  const added = { code: '014', accountName: 'บจก. ใหม่', accountNo: '123-4-56789-0', promptPayId: null, isActive: true }

  test('a new one stands at the end, its number without dashes, and is offered at once', async () => {
    const before = await versionOf(it)
    const made = await save(added)
    expect(made).toMatchObject({
      accountNo: '1234567890',
      bankName: 'ไทยพาณิชย์',
      no: 4,
      version: 1,
      updatedByName: 'admin',
    })
    expect((await it.as(null).call(shop.listReceivingAccounts, {})).map(({ id }) => id)).toEqual([1, 2, made.id])
    expect(await versionOf(it)).toBe(before + 1)
  })

  test('two admins with the same account: the second sees what the first wrote', async () => {
    const [read] = await list()
    const first = await save({ ...read, branch: 'อโศก' })
    const error = await failureOf(it.as('admin'), contract.saveReceivingAccount, { body: { ...read!, branch: 'สยาม' } })
    expect(error).toMatchObject({ code: 'CONFLICT', details: { current: first } })
  })

  test('the last open one can not be closed, by a save or by taking one back', async () => {
    const fresh = await save({ ...added, accountNo: '555555555', isActive: false })
    await save({ ...fresh, isActive: true })
    const open = (await list()).filter(({ isActive, id }) => isActive && id !== fresh.id)
    for (const account of open) await save({ ...account, isActive: false })
    const last = (await list()).find(({ id }) => id === fresh.id)!
    expect(await it.as('admin').codeOf(contract.saveReceivingAccount, { body: { ...last, isActive: false } })).toBe(
      'LAST_RECEIVING_ACCOUNT',
    )
    expect(await undo(`receivingAccount:${fresh.id}`)).toBe('LAST_RECEIVING_ACCOUNT')
    expect(await undo(`receivingAccount:${open[0]!.id}`)).toBe('OK')
    expect((await it.as(null).call(shop.listReceivingAccounts, {})).map(({ id }) => id).sort()).toEqual(
      [open[0]!.id, fresh.id].sort(),
    )
  })

  test.each([
    ['no number', { accountNo: '' }],
    ['a bank that nobody knows', { code: '999' }],
    ['letters in the number', { accountNo: '12345A' }],
    ['no name', { accountName: '' }],
    ['a PromptPay id that is none', { promptPayId: '123' }],
    ['a bank that is none', { code: 'KBANK' }],
  ])('refused: %s', async (_, change) => {
    expect(await it.as('admin').codeOf(contract.saveReceivingAccount, { body: { ...added, ...change } })).toBe(
      'INVALID_INPUT',
    )
  })
})

test('a payment method is called and placed as staff say', async () => {
  const list = async () =>
    (await it.as('staff').call(shop.listPaymentMethods, {})).map(({ code, name }) => ({ code, name }))
  const seen = await list()
  const methods = [{ code: 'wallet' as const, name: 'กระเป๋าเงิน' }, seen.find(({ code }) => code === 'bank')!]
  expect(await it.as('admin').call(methodContract.savePaymentMethods, { body: { methods, seen } })).toEqual(methods)
  expect(await list()).toEqual(methods)
  const late = await it
    .as('admin')
    .call(methodContract.savePaymentMethods, { body: { methods: seen, seen } })
    .catch(each => each)
  expect(late).toMatchObject({
    code: 'CONFLICT',
    details: { current: methods, by: { updatedByName: 'admin', updatedAt: it.clock.now.toISOString() } },
  })
  const twice = [methods[0]!, methods[0]!]
  expect(
    await it.as('admin').codeOf(methodContract.savePaymentMethods, { body: { methods: twice, seen: methods } }),
  ).toBe('INVALID_INPUT')
  expect(await list()).toEqual(methods)
})

describe('banners', () => {
  const list = () => it.as('admin').call(contract.listManagedBanners, {})
  const save = (body: object) => it.as('admin').call(contract.saveBanner, { body: body as never })
  const banner = { picture: '', description: 'เปิดร้าน', isActive: true }
  beforeAll(async () => {
    banner.picture = await uploadedPicture(it)
  })

  test('are shown in their order while they are on', async () => {
    const [a, b] = [await save(banner), await save({ ...banner, description: 'b' })]
    await it.as('admin').call(contract.reorderBanners, {
      body: { order: [{ id: b.id, no: 1 }], seen: { ids: [a.id, b.id], firstNo: 1, total: 2 } },
    })
    const late = { order: [{ id: a.id, no: 2 }], seen: { ids: [a.id, b.id], firstNo: 1, total: 2 } }
    expect(await it.as('admin').codeOf(contract.reorderBanners, { body: late })).toBe('CONFLICT')
    const shown = async () => (await it.as(null).call(shop.listBanners, {})).map(({ description }) => description)
    expect(await shown()).toEqual(['b', 'เปิดร้าน'])
    await save({ ...b, isActive: false })
    expect(await shown()).toEqual(['เปิดร้าน'])
    expect(await undo(`banner:${b.id}`)).toBe('OK')
    expect(await shown()).toEqual(['b', 'เปิดร้าน'])
    const error = await failureOf(it.as('admin'), contract.saveBanner, { body: { ...b, description: 'stale' } })
    expect(error).toMatchObject({ code: 'CONFLICT', details: { current: { id: b.id, version: b.version + 2 } } })
    expect((await list()).map(({ id }) => id)).toEqual([b.id, a.id])
  })

  test.each([
    ['101 characters', { description: 'ก'.repeat(101) }],
    ['no picture', { picture: '' }],
    ['a picture from elsewhere', { picture: '//example.com/a.png' }],
  ])('refused: %s', async (_, change) => {
    expect(await it.as('admin').codeOf(contract.saveBanner, { body: { ...banner, ...change } })).toBe('INVALID_INPUT')
  })

  test('a picture that was never uploaded is refused, for a new banner and for one that has another', async () => {
    const never = { picture: `/files/pictures/${'a'.repeat(22)}.webp` }
    const saved = await save(banner)
    for (const body of [
      { ...banner, ...never },
      { ...saved, ...never },
    ])
      expect(await failureOf(it.as('admin'), contract.saveBanner, { body })).toMatchObject({
        code: 'PICTURE_NOT_FOUND',
        fields: { picture: 'ร้านไม่มีรูปนี้แล้ว กรุณาแนบใหม่อีกครั้ง' },
      })
  })

  test('one leads to its game while that is on; a game that nobody has is refused', async () => {
    const { id } = await save({ ...banner, gameId: fixture.mlbb.id })
    const shown = async () => (await it.as(null).call(shop.listBanners, {})).find(each => each.id === id)?.gameCode
    expect(await shown()).toBe('mlbb')
    const turn = (isOn: boolean) =>
      it.db.query({ text: `UPDATE game SET is_active = $1 WHERE code = 'mlbb'`, values: [isOn] })
    await turn(false)
    it.shop.catalogue.expire()
    expect(await shown()).toBeNull()
    await turn(true)
    const error = await failureOf(it.as('admin'), contract.saveBanner, { body: { ...banner, gameId: 999_999 } })
    expect(error.code).toBe('GAME_NOT_FOUND')
  })

  test('100 characters are taken; an unknown banner is not there', async () => {
    expect((await save({ ...banner, description: 'ก'.repeat(100) })).description).toHaveLength(100)
    const body = { ...banner, id: 999_999, version: 1 }
    expect(await it.as('admin').codeOf(contract.saveBanner, { body })).toBe('NOT_FOUND')
  })
})
