import { expect, test } from 'vitest'
import { csvReply, oneBatch, textOfCell } from './csv.ts'

async function written(...cells: (string | number)[]): Promise<string[]> {
  const sheet = { header: ['x'], cellsOf: (row: (string | number)[]) => row }
  const { body } = await csvReply(sheet, oneBatch(cells.map(each => [each])), new Date())
  return (await new Response(body as ReadableStream).text()).trimEnd().split('\r\n').slice(1)
}

test.each([
  '00123456',
  '12345678901234567',
  '123456789012',
  '1E10',
  '12e-3',
  '1.2.3',
  '-00123',
  '+66812345678',
  '=1+1',
  '@x',
])('the text %s stays in a spreadsheet what it is, and is the same read back', async text => {
  expect(await written(text)).toEqual([`'${text}`])
  expect(textOfCell(`'${text}`)).toBe(text)
})

test('what a spreadsheet leaves alone is written as it is, and an apostrophe of its own is not lost', async () => {
  const plain = ['12345678', '0', '0.50', '-149.00', '99999999999', '080-123-4567', 'KT2611-00000001', "'80s", '9B52']
  expect(await written(...plain, 42, 123456789012345)).toEqual([...plain, '42', '123456789012345'])
  for (const text of ["'007", "''1E5", "'-5"]) expect(textOfCell((await written(text))[0]!)).toBe(text)
})
