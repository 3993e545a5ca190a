import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/settings/endpoints.ts'
import { OPTION_NAMES, type OptionName } from '@shop/shared/settings/option.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, lastAudit, versionOf } from '../testing/catalogue.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

describe('options', () => {
  const save = (optionName: OptionName, optionValue: string, fromValue: string) => ({
    body: { optionName, optionValue, fromValue },
  })

  test('every option is listed, one that was never set with its standard', async () => {
    const list = await it.as('manager').call(contract.listOptions, {})
    expect(list.map(({ optionName }) => optionName)).toEqual(OPTION_NAMES)
    expect(list.find(each => each.optionName === 'TWO_PERSON_APPROVAL_AMOUNT')).toMatchObject({
      optionValue: '20000',
      updatedAt: null,
    })
  })

  test('a change is told to the storefront and can be taken back', async () => {
    const before = await versionOf(it)
    const set = await it.as('manager').call(contract.saveOption, save('OPENING_HOURS', '09:00-23:00', ''))
    expect(set).toMatchObject({ optionValue: '09:00-23:00', updatedByName: 'manager' })
    const config = await it.as(null).call(getPublicConfig, {})
    expect(config.catalogueVersion).toBe(before + 1)
    expect(config.options).toContainEqual({ optionName: 'OPENING_HOURS', optionValue: '09:00-23:00' })
    expect(config.options.map(({ optionName }) => optionName)).not.toContain('TWO_PERSON_APPROVAL_AMOUNT')
    const { id: auditId } = await lastAudit(it, 'option:OPENING_HOURS')
    await it.as('manager').call(undoChange, { body: { auditId } })
    const after = (await it.as(null).call(getPublicConfig, {})).options
    expect(after).toContainEqual({ optionName: 'OPENING_HOURS', optionValue: '' })
  })

  test('what it does not take is said in words', async () => {
    const error = await failureOf(it.as('manager'), contract.saveOption, save('PAYMENT_TIME_LIMIT', '0', '15'))
    expect(error).toMatchObject({ code: 'OPTION_INVALID', fields: { optionValue: 'จำนวนเต็ม 1 ถึง 1,440' } })
  })

  test('the second of two who set it sees the value of the first', async () => {
    const codes = await Promise.all(
      ['20', '30'].map(value => it.as('manager').codeOf(contract.saveOption, save('PAYMENT_TIME_LIMIT', value, '15'))),
    )
    expect(codes.toSorted()).toEqual(['CONFLICT', 'OK'])
    const error = await failureOf(it.as('manager'), contract.saveOption, save('PAYMENT_TIME_LIMIT', '99', '15'))
    expect(error.details!.current).toMatchObject({ optionName: 'PAYMENT_TIME_LIMIT', updatedBy: 'manager' })
  })
})

describe('terms', () => {
  const body = 'การเติมเกม\n- ข้อกำหนดฉบับใหม่ของร้าน'
  let players = 0
  const buyUnder = (termsVersion: string) => {
    const order = { gameId: 1, packageId: 1, playerId: `terms-${++players}`, receivingAccountId: 1, termsVersion }
    return it.as(null).codeOf(orders.confirmPrice, { body: order, idempotencyKey: onceKey() })
  }
  const accept = (version: string) => it.as('customer').codeOf(acceptTerms, { body: { version } })

  test('those of a new shop say what is refunded, and what is not', async () => {
    const { version, body: first } = await it.as(null).call(contract.getTerms, {})
    expect(version).toBe('1')
    expect(first).toContain('คืนเงินเต็มจำนวน')
    expect(first).not.toContain('ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ')
  })

  test('a purchase is made under the terms that were shown: the new ones, or the old ones for an hour', async () => {
    expect((await it.as(null).call(contract.getTerms, {})).version).toBe('1')
    expect(await buyUnder('2')).toBe('TERMS_CHANGED')
    const published = await it.as('manager').call(contract.publishTerms, { body: { body, fromVersion: '1' } })
    expect(published).toEqual({ version: '2', body, publishedAt: it.clock.now.toISOString() })
    expect(await it.as(null).call(contract.getTerms, {})).toEqual(published)
    expect([await buyUnder('1'), await buyUnder('2')]).toEqual(['OK', 'OK'])
    it.clock.advance(3600)
    expect(await buyUnder('1')).toBe('OK')
    it.clock.advance(1)
    expect([await buyUnder('1'), await buyUnder('2')]).toEqual(['TERMS_CHANGED', 'OK'])
  })

  test('what was published is accepted, also later; what was not is refused', async () => {
    expect([await accept('1'), await accept('2'), await accept('9')]).toEqual(['OK', 'OK', 'TERMS_CHANGED'])
    const list = await it.as('manager').call(contract.listTerms, {})
    expect(list.map(({ version, acceptances }) => [version, acceptances])).toEqual([
      ['2', 1],
      ['1', 1],
    ])
  })

  test('of two who publish the second sees the version of the first', async () => {
    const error = await failureOf(it.as('manager'), contract.publishTerms, { body: { body, fromVersion: '1' } })
    expect(error).toMatchObject({
      code: 'CONFLICT',
      details: { current: { version: '2' }, by: { updatedByName: 'manager' } },
    })
  })
})
