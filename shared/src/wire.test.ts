import { expect, test } from 'vitest'
import * as z from 'zod'
import { line } from './line.ts'
import { many, month, page, paging, rowId, rowIdParam } from './wire.ts'

const accepts = (schema: z.ZodType, values: unknown[]) => values.map(value => schema.safeParse(value).success)

test('an id is a positive 32-bit integer, also when it arrives as text', () => {
  expect(accepts(rowId, [1, 2_147_483_647])).toEqual([true, true])
  expect(accepts(rowId, [0, -1, 1.5, 2_147_483_648, '1'])).toEqual([false, false, false, false, false])
  expect(rowIdParam.parse('12')).toBe(12)
  expect(accepts(rowIdParam, ['0', '1.5', 'abc', ''])).toEqual([false, false, false, false])
})

test('a typed line is trimmed and no longer than allowed', () => {
  expect(line(4).parse('  ใจดี ')).toBe('ใจดี')
  expect(accepts(line(4), ['abcd', 'abcde'])).toEqual([true, false])
})

test('a typed line holds nothing that could mislead its reader', () => {
  for (const control of ['\n', '\u0000', '\ud800']) expect(accepts(line(20), [`ab${control}cd`])).toEqual([false])
  expect(accepts(line(20), ['ไม่เป็นไร 😀', 'ไทย\u200bแลนด์', ''])).toEqual([true, true, true])
  for (const unseen of ['\u200b', '\u200b \u2060', '\u3164', '\u2800\u034f'])
    expect(accepts(line(20).min(1), [unseen])).toEqual([false])
})

test('a filter takes one value or many, or none', () => {
  const filter = many(z.enum(['a', 'b']))
  expect(filter.parse('a')).toEqual(['a'])
  expect(filter.parse(['a', 'b'])).toEqual(['a', 'b'])
  expect(filter.parse(undefined)).toBeUndefined()
  expect(accepts(filter, ['c', Array(50).fill('a'), Array(51).fill('a')])).toEqual([false, true, false])
})

test('a month is written YYYY-MM in this century', () => {
  expect(accepts(month, ['2026-01', '2026-09', '2026-10', '2026-12'])).toEqual([true, true, true, true])
  for (const text of [
    '2026-00',
    '2026-13',
    '2026-1',
    '1999-12',
    '2026-011',
    '12026-01',
    '2569/11',
    '20xx-01',
    '2026-1x',
  ])
    expect(accepts(month, [text])).toEqual([false])
})

test('a list gives its first ten rows unless asked otherwise, and never more than a hundred', () => {
  const query = z.object(paging)
  expect(query.parse({})).toEqual({ page: 1, pageSize: 10 })
  expect(query.parse({ page: '1000', pageSize: '100' })).toEqual({ page: 1000, pageSize: 100 })
  expect(query.parse({ page: '1', pageSize: '1' })).toEqual({ page: 1, pageSize: 1 })
  const refused = [{ page: 0 }, { page: 1001 }, { page: 1.5 }, { pageSize: 0 }, { pageSize: 101 }, { pageSize: 1.5 }]
  expect(accepts(query, refused)).toEqual(refused.map(() => false))
})

test("a page tells how many rows there are and the server's clock", () => {
  const reply = { rows: [{ id: 1 }], total: 1, nowDate: '2026-11-20T07:00:00Z' }
  const rows = page(z.object({ id: rowId }))
  expect(rows.parse(reply)).toEqual(reply)
  for (const missing of ['rows', 'total', 'nowDate'])
    expect(accepts(rows, [{ ...reply, [missing]: undefined }])).toEqual([false])
})
