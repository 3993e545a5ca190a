import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readGrid } from './grid.ts'
import { MAX_BYTES, MAX_CELLS, MAX_SHEET_ROWS, MAX_SHEETS, MAX_STRINGS, MAX_STYLES } from './limits.ts'
import { readStatement } from './read-statement.ts'
import { shownAs } from './xlsx-numbers.ts'

const now = new Date('2026-11-21T05:00:00Z')

/** A small file with what it says of itself; parts that are not given are plain. */
function workbook(parts: { strings?: string; styles?: string; sheets?: string; cells?: string }): Buffer {
  const { strings = '', styles = '', cells = '<row r="1"><c r="A1"><v>1</v></c></row>' } = parts
  const sheets = parts.sheets ?? '<sheet name="a" r:id="a"/>'
  const file = zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${sheets}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/></Relationships>',
    ),
    'xl/worksheets/a.xml': strToU8(`<worksheet><sheetData>${cells}</sheetData></worksheet>`),
    'xl/sharedStrings.xml': strToU8(`<sst>${strings}</sst>`),
    'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
  })
  expect(file.length).toBeLessThan(MAX_BYTES / 10)
  return Buffer.from(file)
}

const styled = (code: string, count: number) =>
  `<numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(count)}</cellXfs>`

describe('a small workbook that comes to very much is refused at once, and before it is in memory:', () => {
  test.each([
    ['texts', () => ({ strings: '<si/>'.repeat(MAX_STRINGS + 1) })],
    ['cells', () => ({ cells: `<row>${'<c/>'.repeat(MAX_CELLS + 1)}</row>` })],
    ['rows without cells', () => ({ cells: '<row/>'.repeat(MAX_SHEET_ROWS + 1) })],
    ['styles', () => ({ styles: styled('0', MAX_STYLES + 1) })],
    ['sheets', () => ({ sheets: '<sheet name="a" r:id="a"/>'.repeat(MAX_SHEETS + 1) })],
    [
      'cells that all show one long text',
      () => ({
        strings: `<si><t>${'ก'.repeat(30_000)}</t></si>`,
        cells: '<row><c t="s"><v>0</v></c></row>'.repeat(3000),
      }),
    ],
  ])('%s', (_, parts) => {
    const bytes = workbook(parts())
    expect(() => readGrid(bytes)).toThrow(expect.objectContaining({ code: 'STATEMENT_TOO_COMPLEX' }))
  })
})

// Read with a look ahead from every place, these would take minutes: the time limit of a test ends them.
test('a format of any text is read in one pass', () => {
  for (const code of ['['.repeat(1_000_000), '"'.repeat(999_999), '[h'.repeat(500_000), `${'['.repeat(500_000)}]`]) {
    expect(['number', 'minute-time']).toContain(shownAs(200, new Map([[200, code]])))
  }
  expect(readGrid(workbook({ styles: styled('['.repeat(400_000), 1000) })).rows).toEqual([['1']])
})

test.each([
  ['[$-409]d/m/yyyy h:mm AM/PM', 'date-minute-time'],
  ['[Red]"day "0.00', 'number'],
  ['[hh]:mm:ss', 'time'],
  ['General', 'number'],
  ['_-* #,##0.00_-;\\d', 'number'],
  ['mmm yy', 'date'],
  ['yyyy-mm-dd;@', 'date'],
])('the format %s is shown as %s', (code, as) => {
  expect(shownAs(200, new Map([[200, code]]))).toBe(as)
})

test('a file that takes too long ends, and the next one is read meanwhile waiting for nothing', async () => {
  const header = 'Date,Time,Transaction,Channel,Description,Chq No,Withdrawal,Deposits,Balance'
  const rows = Array.from({ length: 100_000 }, (_, i) => `18/11/2026,08:05,X1,ENET,โอน,,,5.00,${(i + 1) * 5}.00`)
  const long = readStatement(Buffer.from([header, ...rows].join('\n')), { now }, 0.2)
  const next = readStatement(Buffer.from([header, ...rows.slice(0, 3)].join('\n')), { now })
  await expect(long).rejects.toMatchObject({ code: 'STATEMENT_TOO_COMPLEX', status: 422 })
  expect((await next).lines).toHaveLength(3)
})
