import { AppError } from '@shop/shared/errors.ts'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../testing/random.ts'
import { readGrid } from './grid.ts'
import { MAX_BYTES, MAX_CELLS, MAX_DEPTH, MAX_SHEET_ROWS, MAX_SHEETS, MAX_STRINGS, MAX_STYLES } from './limits.ts'
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
    ['elements within each other', () => ({ cells: '<a>'.repeat(MAX_DEPTH) })],
    ['a million of them', () => ({ cells: '<a>'.repeat(1_000_000) })],
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

test('so is a page of a million tags within each other', () => {
  const page = Buffer.from(`<table><tr><td>${'<b>'.repeat(1_000_000)}`)
  expect(() => readGrid(page)).toThrow(expect.objectContaining({ code: 'STATEMENT_TOO_COMPLEX' }))
  const sloppy = Buffer.from(`<table>${'<tr><td><font>1<td>2'.repeat(4000)}</table>`)
  expect(readGrid(sloppy).rows).toHaveLength(4000)
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

describe('what a workbook claims is not believed:', () => {
  const codeOf = (bytes: Buffer): string => {
    try {
      readGrid(bytes)
      return 'OK'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.code
    }
  }
  const cell = (attributes: string) => workbook({ cells: `<row ${attributes}><c><v>1</v></c></row>` })

  test.each(['0', '-5', '1.5', '1e3', 'x', '', ' 1', '0x1', '99999999', 'NaN'])('row %j is none', number => {
    expect(codeOf(cell(`r="${number}"`))).toBe('STATEMENT_UNREADABLE')
  })

  test('entities that a document declares are not filled in, neither a billion nor a file', () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')
    const declared = `<!DOCTYPE sst [<!ENTITY e0 "lol">${levels}<!ENTITY x SYSTEM "file:///etc/passwd">]>`
    const bytes = workbook({
      strings: `${declared}<si><t>&e9;</t></si><si><t>&x;</t></si>`,
      cells: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>',
    })
    expect(readGrid(bytes).rows).toEqual([['&e9;', '&x;']])
  })

  test('a part is found among the parts alone, wherever its name points', () => {
    for (const target of ['../../../../etc/passwd', '/etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1/a.xml']) {
      const parts = {
        'xl/workbook.xml': '<workbook><sheets><sheet name="a" r:id="a"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Target="${target}"/></Relationships>`,
        'xl/worksheets/../../../../../tmp/a.xml': '<worksheet><sheetData/></worksheet>',
        '../../../tmp/b': 'b',
      }
      const file = zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))
      expect([target, codeOf(Buffer.from(file))]).toEqual([target, 'STATEMENT_UNREADABLE'])
    }
  })

  test('parts that lie in the same place, and say that they are nothing, count each with what it takes', () => {
    const before = process.memoryUsage().arrayBuffers
    expect(codeOf(overlapping(4_000_000, 1000))).toBe('STATEMENT_TOO_LARGE')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000)
  })

  test('whatever bytes of a workbook are broken, it is read or refused in words', () => {
    const whole = workbook({
      strings: '<si><t>a</t></si>',
      styles: styled('d/m/yyyy', 2),
      cells: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45000</v></c><c><f>A1</f></c></row>',
    })
    const draw = randomFrom(8)
    const below = (limit: number) => Math.floor(draw() * limit)
    for (let n = 0; n < 600; n++) {
      const bytes = Buffer.from(whole)
      for (let flips = 0; flips <= n % 4; flips++) bytes[2 + below(bytes.length - 2)] = below(256)
      expect(() => codeOf(bytes.subarray(0, n % 5 === 0 ? below(bytes.length) + 2 : undefined))).not.toThrow()
    }
  })
})

/** A workbook with many sheets that are stored plainly in the same bytes; each says that it has none. */
function overlapping(bytes: number, sheets: number): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  const entries = Array.from({ length: sheets }, (_, n) => {
    const name = `xl/worksheets/${n}.xml`
    const entry = Buffer.alloc(46 + name.length)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt32LE(bytes, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.write(name, 46)
    return entry
  })
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(sheets, 8)
  end.writeUInt16LE(sheets, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length + bytes, 16)
  return Buffer.concat([local, Buffer.alloc(bytes, ' '), directory, end])
}
