import * as bulk from '@shop/shared/catalogue/bulk-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOfCell } from '../http/csv.ts'
import { addPackage, failureOf, findPackage, lastAudit, price } from '../testing/catalogue.ts'
import { createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { PACKAGE_COLUMNS } from './package-csv.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

async function exported(game?: number[]): Promise<string> {
  const blob = (await it.as('manager').call(bulk.exportPackages, { query: { game } })) as Blob
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer())
}
const send = (csv: string, isDryRun: boolean) => it.as('manager').call(bulk.importPackages, { body: { csv, isDryRun } })
const HEADING = PACKAGE_COLUMNS.join(',')
const fileOf = (...lines: string[]) => [HEADING, ...lines].join('\r\n')
/** A line: game, id and version, name and what follows, then the cells of a bank price, then an empty wallet price. */
const line = (cells: string, bank = ',,,,,') => `${cells},${bank},,,,,,`
const isEmpty = { added: 0, changed: 0, problems: [], preview: [] }

describe('there and back', () => {
  test('what was exported is imported unchanged, formulas and all', async () => {
    for (const name of ['=1+1', "'=1+1", '@cmd', '+66', '-5', "'quoted'", 'a,"b"', 'ก\u0e33ไทย'])
      await addPackage(
        it,
        1,
        [price('bank', { nextPriceSatang: 12_000, nextDay: '2027-01-01', endDay: '2028-02-29' })],
        name,
      )
    const csv = await exported()
    expect(csv.startsWith(`\uFEFF${HEADING}\r\n`)).toBe(true)
    const cells = csv.split(/[,\r\n]+/)
    expect(cells.filter(cell => /^[=+@\t]/.test(cell))).toEqual([])
    const lines = csv.trim().split('\r\n').length - 1
    expect(await send(csv, true)).toEqual({ ...isEmpty, unchanged: lines })
    expect(await send(csv, false)).toEqual({ ...isEmpty, unchanged: lines })
    expect(await exported()).toBe(csv)
  })

  test('nothing more is taken off a cell than was put there', () => {
    for (const text of ["it's", "'80s", '', '-5']) expect(textOfCell(text)).toBe(text)
    expect(textOfCell("'=1")).toBe('=1')
    expect(textOfCell("''=1")).toBe("'=1")
    expect(textOfCell("'00123456")).toBe('00123456')
  })

  test('one game alone is exported', async () => {
    const games = (await exported([2])).trim().split('\r\n').slice(1)
    expect(games.map(each => each.split(',')[0])).toEqual(['mlbb'])
  })
})

describe('importing', () => {
  test('adds and changes what the file says; a dry run only tells', async () => {
    const sold = await addPackage(it, 1, [price('bank'), price('wallet')], 'before')
    const csv = fileOf(
      line(`pubg,${sold.id},${sold.version},after,,TRUE`, '"1,500",2026-11-20,,TRUE,,'),
      line('mlbb,,,brand new,ใหม่,1', '99.00,20/11/2026,31/12/2026,true,89,1/12/2026'),
    )
    const told = await send(csv, true)
    expect(told).toMatchObject({ added: 1, changed: 1, unchanged: 0, problems: [] })
    expect(told.preview[0]).toEqual({
      line: 2,
      name: 'after',
      before: 'name: before · bank_price: 100',
      after: 'name: after · bank_price: 1500',
    })
    expect((await findPackage(it, 1, sold.id)).name).toBe('before')
    expect(await send(csv, false)).toEqual(told)
    const after = await findPackage(it, 1, sold.id)
    expect(after).toMatchObject({ name: 'after', version: sold.version + 1 })
    expect(after.masterPackage).toEqual([price('bank', { priceSatang: 150_000 }), price('wallet')])
    const { rows } = await it.as('manager').call(contract.listManagedPackages, { params: { gameId: 2 } })
    expect(rows.at(-1)).toMatchObject({
      name: 'brand new',
      masterPackage: [
        price('bank', {
          priceSatang: 9_900,
          startDay: '2026-11-20',
          endDay: '2026-12-31',
          nextPriceSatang: 8_900,
          nextDay: '2026-12-01',
        }),
      ],
    })
    expect((await lastAudit(it, `package:${sold.id}`)).action).toBe('package.import')
  })

  test('every wrong line is named with its column, and then nothing is saved', async () => {
    await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
    const before = await exported()
    const csv = fileOf(
      line('pubg,,,good,,TRUE'),
      line('nothing,,,x,,TRUE'),
      line('pubg,999999,1,x,,TRUE'),
      line('mlbb,8,1,x,,TRUE'),
      line('pubg,,,,,maybe'),
      line('pubg,,,x,,TRUE', '1.50,2026-01-01,,TRUE,,'),
      line('pubg,,,x,,TRUE', '100,2026-02-30,2569-01-01,TRUE,,'),
      line('pubg,,,x,,TRUE', '100,2026-02-02,2026-02-01,TRUE,,'),
      'pubg,1,1,x,,TRUE,,,,,,,4,2026-01-01,,TRUE,,',
      line('pubg,1,1,x,,TRUE'),
      `${line('pubg,,,y,,TRUE')},one too many`,
    )
    const { problems } = await send(csv, false)
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '3 game',
      '4 id',
      '5 game',
      '6 name',
      '6 active',
      '7 bank_price',
      '8 bank_start',
      '8 bank_end',
      '9 bank_price',
      '10 wallet_price',
      '11 id',
      '12 game',
    ])
    expect(problems.find(each => each.line === 7)!.problem).toBe('กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร เป็นจำนวนเต็ม')
    expect(problems.find(each => each.column === 'wallet_price')!.problem).toContain('Gold')
    expect(await exported()).toBe(before)
  })

  test.each([
    ['day first as one day tells', ['8/5/2027', '31/12/2027'], ['2027-05-08', '2027-12-31']],
    ['month first as one day tells', ['8/5/2027', '12/31/2027'], ['2027-08-05', '2027-12-31']],
    ['with no other reading', ['5/5/2027', '6/6/2027'], ['2027-05-05', '2027-06-06']],
  ])('days that a spreadsheet wrote anew are read as the file has them all: %s', async (name, [start, end], days) => {
    const csv = fileOf(
      line(`mlbb,,,${name},,TRUE`, `100,${start},,TRUE,,`),
      line(`mlbb,,,${name} 2,,TRUE`, `100,2026-11-20,${end},TRUE,,`),
    )
    const { preview, problems } = await send(csv, true)
    expect(problems).toEqual([])
    expect(preview.map(({ after }) => /bank_(start|end): (2027-\S+)/.exec(after)?.[2])).toEqual(days)
  })

  test('a day that can be two is asked about, in a file that does not tell and in one that tells both', async () => {
    const columnsOf = async (...days: string[]) => {
      const lines = days.map((day, at) => line(`mlbb,,,open ${at},,TRUE`, `100,2026-11-20,${day},TRUE,,`))
      return (await send(fileOf(...lines), true)).problems.map(({ line, column, problem }) => [
        line,
        column,
        problem.slice(0, 13),
      ])
    }
    const open = (at: number) => [at, 'bank_end', 'อ่านได้ทั้ง ว']
    expect(await columnsOf('8/5/2027')).toEqual([open(2)])
    expect(await columnsOf('8/5/2027', '31/12/2027', '12/31/2027')).toEqual([open(2)])
  })

  test('a line made from what somebody changed since is refused with both sides, and with it the file', async () => {
    const [stale, other] = [
      await addPackage(it, 1, [price('bank')], 's'),
      await addPackage(it, 1, [price('bank')], 'o'),
    ]
    const csv = await exported([1])
    await it.as('admin').call(contract.savePrices, {
      body: { packageId: stale.id, version: stale.version, prices: [price('bank', { priceSatang: 15_000 })] },
    })
    const before = await exported([1])
    const edited = csv.replace(`${other.id},${other.version},o`, `${other.id},${other.version},renamed`)
    for (const isDryRun of [true, false]) {
      const { problems } = await send(edited, isDryRun)
      expect(problems).toEqual([
        {
          line: csv.split('\r\n').findIndex(each => each.startsWith(`pubg,${stale.id},`)) + 1,
          column: 'version',
          problem: 'ถูกแก้ไขหลังดาวน์โหลดไฟล์ โดย admin เมื่อ 20/11/2026 12:00 (ตอนนี้ bank_price: 150 | ในไฟล์ bank_price: 100)',
        },
      ])
    }
    expect(await exported([1])).toBe(before)
    const same = csv.replace(/(,s,,TRUE),100,/, '$1,150,')
    expect(await send(same, false)).toMatchObject({ changed: 0, problems: [] })
  })

  test('a file without versions may only add', async () => {
    const { id, version } = await addPackage(it, 1, [price('bank')], 'kept')
    const old = (...lines: string[]) => [HEADING.replace(',version', ''), ...lines].join('\n')
    const { problems } = await send(old(line(`pubg,${id},other,,TRUE`), line('pubg,,fresh,,TRUE')), false)
    expect(problems).toMatchObject([{ line: 2, column: 'version' }])
    expect(problems[0]!.problem).toContain('ต้องมี version')
    expect(await send(fileOf(line(`pubg,${id},,other,,TRUE`)), true)).toMatchObject({
      problems: [{ column: 'version' }],
    })
    expect(await findPackage(it, 1, id)).toMatchObject({ name: 'kept', version })
    expect(await send(old(line('pubg,,fresh,,TRUE')), false)).toMatchObject({ added: 1, problems: [] })
  })

  test('the same new packages are not added a second time', async () => {
    const sold = await addPackage(it, 1, [price('bank')], 'first name')
    const csv = fileOf(line('pubg,,,once,,TRUE'), line('mlbb,,,once,,TRUE'))
    expect(await send(csv, false)).toMatchObject({ added: 2, problems: [] })
    const again = await send(csv, false)
    expect(again.problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'name'],
      [3, 'name'],
    ])
    const twin = await send(fileOf(line('pubg,,,twin,,TRUE'), line('pubg,,,twin,,TRUE')), true)
    expect(twin).toMatchObject({ problems: [{ line: 3, column: 'name' }] })
    const freed = fileOf(line(`pubg,${sold.id},${sold.version},second name,,TRUE`), line('pubg,,,first name,,TRUE'))
    expect(await send(freed, false)).toMatchObject({ added: 1, changed: 1, problems: [] })
  })

  test('new packages among changed ones stand at the end of their games without a gap', async () => {
    const [a, b] = [await addPackage(it, 1, [], 'a'), await addPackage(it, 2, [], 'b')]
    const csv = fileOf(
      line(`pubg,${a.id},${a.version},a2,,TRUE`),
      line('mlbb,,,m1,,TRUE'),
      line('pubg,,,p1,,TRUE'),
      line(`mlbb,${b.id},${b.version},b2,,TRUE`),
      line('pubg,,,p2,,TRUE'),
      line('mlbb,,,m2,,TRUE'),
    )
    expect(await send(csv, false)).toMatchObject({ added: 4, changed: 2, problems: [] })
    for (const [gameId, last] of [[1, a] as const, [2, b] as const]) {
      const { rows } = await it
        .as('manager')
        .call(contract.listManagedPackages, { params: { gameId }, query: { pageSize: 100 } })
      expect(rows.slice(-3).map(({ no }) => no)).toEqual([last.no, last.no + 1, last.no + 2])
    }
  })

  test.each([
    ['another table', 'a,b\r\n1,2'],
    ['nothing', ''],
    ['a quote that never ends', `${HEADING}\r\n"pubg`],
    ['a missing column', fileOf().replace(',name', '')],
    ['a picture', 'PNG\u000d\u000a'],
  ])('refused as a whole: %s', async (_, csv) => {
    expect((await failureOf(it.as('manager'), bulk.importPackages, { body: { csv, isDryRun: true } })).code).toBe(
      'IMPORT_INVALID',
    )
  })

  test('ten thousand packages: listed by the page, exported, changed and imported', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      line(`mlbb,,,bulk ${index},,TRUE`, `${100 + index},2026-01-01,,TRUE,,`),
    )
    expect(await send(fileOf(...lines), false)).toMatchObject({ added: 10_000, problems: [] })
    const list = (query: object) =>
      it.as('manager').call(contract.listManagedPackages, { params: { gameId: 2 }, query: { pageSize: 100, ...query } })
    const page = await list({ page: 100, name: 'bulk' })
    expect(page.rows).toHaveLength(100)
    expect(page.rows.at(-1)!.name).toBe('bulk 9999')
    expect((await list({ name: 'bulk 9999' })).rows.map(({ maxPriceSatang }) => maxPriceSatang)).toEqual([1_009_900])
    expect((await list({ status: 'inactive', name: 'bulk' })).total).toBe(0)
    const csv = await exported([2])
    expect(await send(csv, true)).toMatchObject({ changed: 0, problems: [] })
    const dearer = csv.replaceAll('2026-01-01,,TRUE', '2026-01-02,,TRUE')
    expect(await send(dearer, false)).toMatchObject({ added: 0, changed: 10_001, problems: [] })
  })
})
