import * as contract from '@shop/shared/voucher/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JOBS } from '../jobs/jobs.ts'
import { type CodeShop, codes, createCodeShop, lookAt, stockUp } from '../testing/code-shop.ts'
import { stockCodes } from '../testing/codes.ts'
import { fixture } from '../testing/fixture.ts'
import { codeOf } from '../testing/orders.ts'
import { addAccount, onceKey } from '../testing/shop.ts'

let it: CodeShop
beforeAll(async () => {
  it = await createCodeShop()
})
afterAll(() => it?.db.close())
beforeEach(() => it.empty())

describe('a file of codes', () => {
  test('is looked at before it is imported: what is new, repeated, known and bad, and of codes their ends alone', async () => {
    const [one, two, three, sold] = codes(4) as [string, string, string, string]
    await stockUp(it, [sold])
    await it.buy()
    const lines = [
      'รหัส;PIN;วันหมดอายุ',
      `${one};77881;31/12/2570`,
      two,
      `${one.toLowerCase().replace('-', ' ')};77881`,
      sold,
      'A1',
      three,
    ]
    const found = await lookAt(it, lines.join('\r\n'))
    expect(found).toMatchObject({
      good: 3,
      first: [
        { line: 2, lastFour: one.slice(-5).replace('-', ''), hasPin: true, hasSerial: false, expiresOn: '2027-12-31' },
        { line: 3, hasPin: false },
        { line: 7 },
      ],
      last: [],
      repeated: { count: 1, rows: [{ line: 4, firstLine: 2 }] },
      known: { count: 1, rows: [{ line: 5 }] },
      bad: { count: 1, rows: [{ line: 6, reason: 'รหัสสั้นกว่า 6 ตัวอักษร' }] },
    })
    const told = JSON.stringify(found)
    for (const secret of [one, two, sold, '77881', one.slice(0, 8)]) expect(told).not.toContain(secret)
    for (const secret of [one, two, '77881']) expect(await it.isKept(secret)).toBe(false)
  })

  test('is imported once by its key, with its name and cost; the draft is gone and no code is told or kept in clear', async () => {
    const lines = codes(3)
    const { draftId } = await lookAt(it, lines.join('\n'))
    const request = { body: { draftId, name: 'ใบส่งของ 12', costSatang: 8750 }, idempotencyKey: onceKey() }
    const first = await it.as('manager').call(contract.importCodes, request)
    expect(first).toMatchObject({ imported: 3, known: 0, packageId: fixture.pubg.package })
    expect(await it.as('manager').call(contract.importCodes, request)).toEqual(first)
    expect(await it.as('manager').codeOf(contract.importCodes, { ...request, idempotencyKey: onceKey() })).toBe(
      'CODE_DRAFT_GONE',
    )
    expect(await it.stock()).toMatchObject({ free: 3, valueSatang: 3 * 8750, isOut: false })
    const { rows } = await it
      .as('staff')
      .call(contract.listVoucherBatches, { query: { packageId: String(fixture.pubg.package) } })
    expect(rows[0]).toMatchObject({
      name: 'ใบส่งของ 12',
      pieces: 3,
      free: 3,
      costSatang: null,
      importedByName: 'manager',
    })
    expect((await it.entries('voucher.import')).at(-1)!.after).toEqual({
      name: 'ใบส่งของ 12',
      imported: 3,
      known: 0,
      costSatang: 8750,
    })
    expect(await it.isKept(lines[0]!)).toBe(false)
  })

  test('by two people at once stores each code once', async () => {
    const lines = codes(50)
    await addAccount(it, 'manager-of-codes', 'manager')
    const drafts = await Promise.all(['manager', 'manager-of-codes'].map(by => lookAt(it, lines.join('\n'), { by })))
    const imports = await Promise.allSettled(
      drafts.map(({ draftId }, at) =>
        it.as(['manager', 'manager-of-codes'][at]!).call(contract.importCodes, {
          body: { draftId, name: 'พร้อมกัน', costSatang: 100 },
          idempotencyKey: onceKey(),
        }),
      ),
    )
    const refused = imports.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(['CODES_ALL_KNOWN'])
    expect((await it.stock()).free).toBe(50)
  })

  test('is another’s to look at only: nobody imports what a colleague chose, nor an hour later', async () => {
    const { draftId } = await lookAt(it, codes(1)[0]!)
    const body = { draftId, name: 'x', costSatang: 1 }
    expect(await it.as('admin').codeOf(contract.importCodes, { body, idempotencyKey: onceKey() })).toBe(
      'CODE_DRAFT_GONE',
    )
    it.clock.advance(3601)
    expect(await it.as('manager').codeOf(contract.importCodes, { body, idempotencyKey: onceKey() })).toBe(
      'CODE_DRAFT_GONE',
    )
  })

  test('of a package that delivers no codes, or from somebody of the staff, is refused', async () => {
    expect(await codeOf(lookAt(it, codes(1)[0]!, { packageId: fixture.mlbb.package }))).toBe('VOUCHER_PACKAGE_WRONG')
    expect(await codeOf(lookAt(it, codes(1)[0]!, { by: 'staff' }))).toBe('FORBIDDEN')
  })

  test('of ten thousand codes', async () => {
    expect(await stockUp(it, codes(10_000))).toMatchObject({ imported: 10_000 })
  })
})

describe('the code is what makes it the same code', () => {
  const withPin = (code: string, pin = '4417') => `code,pin\n${code},${pin}`
  const bare = (code: string) => `code\n${code}`

  test.each([
    ['with a PIN, after one without', bare, withPin],
    ['without a PIN, after one with', withPin, bare],
    ['with another PIN', withPin, (code: string) => withPin(code, '9002')],
  ])('%s: it is known', async (_, first, second) => {
    const [code] = codes(1) as [string]
    await stockUp(it, first(code).split('\n'))
    expect(await lookAt(it, second(code))).toMatchObject({ good: 0, known: { count: 1 } })
    expect(await lookAt(it, `${second(code)}\n${code}`)).toMatchObject({ good: 0 })
  })

  test('twice in a file it is one', async () => {
    const [code] = codes(1) as [string]
    const found = await lookAt(it, `code,pin\n${code},1\n${code},\n${code.toLowerCase()},2`)
    expect(found).toMatchObject({ good: 1, repeated: { count: 2 } })
  })

  test('also one that a version before stored, from a file and from a supplier', async () => {
    const [code, other] = codes(2) as [string, string]
    await stockUp(it, withPin(code).split('\n'))
    await it.db.query({ text: 'UPDATE voucher SET code_hash = NULL' })
    expect(await lookAt(it, bare(code))).toMatchObject({ known: { count: 1 } })
    await it.db.query({ text: 'UPDATE voucher SET code_hash = NULL' })
    await JOBS.refreshstock.run(it.shop)
    const fromSupplier = [code, other].map(each => ({ code: each, pin: '1', serial: null, expiresOn: null }))
    expect(await stockCodes(it, fromSupplier)).toBe(1)
  })
})
