import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shop/shared/errors.ts'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readGrid } from './grid.ts'
import { MAX_BYTES, MAX_COLUMNS, MAX_ROWS, MAX_UNPACKED_BYTES } from './limits.ts'

const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name))
const rowsOf = (text: string) => readGrid(Buffer.from(text)).rows

/** "CODE" or "CODE row" of the error. */
function refusal(bytes: Buffer | string): string {
  try {
    readGrid(Buffer.from(bytes as Buffer))
    return 'read'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code
  }
}

test('cells of a CSV, whatever separates them; empty rows keep their numbers', () => {
  expect(rowsOf('a,"b, ""c""\nd",e\r\n\r\nf,g,h\n')).toEqual([['a', 'b, "c"\nd', 'e'], [''], ['f', 'g', 'h']])
  for (const sign of [';', '\t', '|']) expect(rowsOf(`a${sign}"1,2"${sign}c,d`)).toEqual([['a', '1,2', 'c,d']])
  expect(rowsOf('a,b\rc,d')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(rowsOf('="0123",5" pipe,=1+1\n')).toEqual([['0123', '5" pipe', '=1+1']])
})

test('text in UTF-8, UTF-16 and the Thai code page, by its bytes', () => {
  const text = 'วันที่,ยอด\n'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  const thai = Buffer.from([0xc7, 0xd1, 0xb9, 0x2c, 0x35])
  expect(readGrid(Buffer.from(text))).toEqual({ rows: [['วันที่', 'ยอด']], encoding: 'utf-8', sheet: null })
  expect(readGrid(Buffer.from(`\ufeff${text}`)).rows).toEqual([['วันที่', 'ยอด']])
  expect(readGrid(utf16)).toEqual({ rows: [['วันที่', 'ยอด']], encoding: 'utf-16le', sheet: null })
  expect(readGrid(Buffer.from(utf16).swap16())).toMatchObject({ encoding: 'utf-16be' })
  expect(readGrid(thai)).toEqual({ rows: [['วัน', '5']], encoding: 'windows-874', sheet: null })
})

test('half a sign at the end is half a file, elsewhere another encoding', () => {
  const bytes = Buffer.from('a,ก')
  expect(() => readGrid(Buffer.from('"a\nb"\nx,ก').subarray(0, -1))).toThrow('แถว 2')
  expect(refusal(bytes.subarray(0, -1))).toBe('STATEMENT_CUT_OFF')
  expect(refusal(Buffer.concat([Buffer.from('\ufeff'), Buffer.from([0xc7, 0xd1, 0xb9])]))).toBe('STATEMENT_UNREADABLE')
  // 0xdb stands for nothing in windows-874.
  expect(refusal(Buffer.from([0x61, 0xdb, 0x2c, 0xc7]))).toBe('STATEMENT_UNREADABLE')
})

test('Thai that was saved in a wrong encoding is refused, by row', () => {
  const asThai = new TextDecoder('windows-874').decode(Buffer.from('รายการเดินบัญชี'))
  const asLatin = Buffer.from('รายการเดินบัญชี').toString('latin1')
  expect(refusal(`a,b\n${asThai},5\n`)).toBe('STATEMENT_GARBLED')
  expect(refusal(`a,b\n${asLatin},5\n`)).toBe('STATEMENT_GARBLED')
  expect(refusal('a,b\n\ufffd,5\n')).toBe('STATEMENT_GARBLED')
  expect(() => rowsOf(`a,b\n${asThai},5\n`)).toThrow('แถว 2')
  expect(refusal('เธอ เนย เธียร เนื้อ เธเนศ,5\n')).toBe('read')
})

test.each([
  ['nothing', '', 'STATEMENT_UNREADABLE'],
  ['blanks', ' \n \n', 'STATEMENT_UNREADABLE'],
  ['binary', 'a,b\u0000c', 'STATEMENT_UNREADABLE'],
  ['a PDF', '%PDF-1.7', 'STATEMENT_KIND'],
  ['an open quote', 'a,b\nc,"d\ne,f', 'STATEMENT_CUT_OFF'],
  ['a table without end', '<table><tr><td>a</td></tr>', 'STATEMENT_CUT_OFF'],
])('%s is refused', (_, text, code) => {
  expect(refusal(text)).toBe(code)
})

test('old workbooks, pictures, archives and passwords are named', () => {
  const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  expect(() => readGrid(ole)).toThrow('Excel แบบเก่า (.xls)')
  expect(refusal(Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]))).toBe('STATEMENT_ENCRYPTED')
  expect(() => readGrid(Buffer.from([0x89, 0x50, 0x4e, 0x47]))).toThrow('รูปภาพ')
  const zip = Buffer.from(zipSync({ 'statement.csv': strToU8('a,b') }))
  expect(() => readGrid(zip)).toThrow('ZIP')
  zip[6] = 1
  expect(refusal(zip)).toBe('STATEMENT_ENCRYPTED')
  expect(refusal(Buffer.from('PK not really'))).toBe('STATEMENT_UNREADABLE')
})

test.each([
  [
    'CAMT',
    '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt/></Document>',
  ],
  ['OFX', 'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1>'],
  [
    'Excel 2003',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook><Table><Row/></Table></Workbook>',
  ],
  ['MHTML', 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\n<table><tr><td>1'],
  ['หน้าเข้าสู่ระบบ', '<html><table><tr><td>Session expired<input name=p type="password"></td></tr></table></html>'],
])('a file of a kind that has no table is named: %s', (kind, text) => {
  expect(() => readGrid(Buffer.from(text))).toThrow(kind)
})

test('what is too large is refused before it is read whole', () => {
  expect([MAX_BYTES, MAX_ROWS, MAX_COLUMNS]).toEqual([20 * 1024 * 1024, 200_000, 100])
  expect(refusal(Buffer.alloc(MAX_BYTES + 1, 'a'))).toBe('STATEMENT_TOO_LARGE')
  expect(refusal('\n'.repeat(MAX_ROWS).replace('\n', 'a\n'))).toBe('read')
  expect(refusal(`a${'\n'.repeat(MAX_ROWS + 1)}`)).toBe('STATEMENT_TOO_LARGE')
  expect(refusal(','.repeat(MAX_COLUMNS - 1).concat('a'))).toBe('read')
  expect(refusal(','.repeat(MAX_COLUMNS).concat('a'))).toBe('STATEMENT_TOO_LARGE')
})

test('tables of a page: entities, line breaks, cells that are wide', () => {
  const page = `<html><table><tr><th colspan=2>A&amp;B</th><th>C</th></tr>
    <tr><td>ก<br>ข</td><td>&nbsp;1<td>2</tr><tr></tr><tr><td colspan="x">3</table></html>`
  expect(rowsOf(page)).toEqual([
    ['A&B', '', 'C'],
    ['ก ข', '1', '2'],
    ['', '', ''],
    ['3', '', ''],
  ])
})

const MT940 = sample('ktb-business-mt940.txt').toString()

test('an MT940 message: lines that go on, reversals, another currency', () => {
  const text = `{1:F01}{4:\n:20:X\n:25:123\n:60F:D261118THB1,\n:61:261118RC5,5NTRFREF\nmore\n:86:one\ntwo\n:61:261118RD5,00NTRF\n:62F:C261118THB4,\n-}`
  expect(rowsOf(text)).toEqual([
    [],
    ['Account Number', 'Tag', 'Value Date', 'D/C', 'Amount', 'Balance', 'Type', 'Reference', 'Details'],
    [],
    ['123', '60F', '2026-11-18', '', '', '-1', '', '', ''],
    ['123', '61', '2026-11-18', 'RC', '5.5', '', 'NTRF', 'REF more', 'one two'],
    [],
    [],
    [],
    ['123', '61', '2026-11-18', 'RD', '5.00', '', 'NTRF', '', ''],
    ['123', '62F', '2026-11-18', '', '', '4', '', '', ''],
    [],
  ])
  const foreign = rowsOf(MT940.replaceAll('THB', 'USD'))
  expect(foreign[4]?.[4]).toBe('USD 100.07')
  expect(refusal(MT940.slice(0, MT940.indexOf(':62F:')))).toBe('STATEMENT_CUT_OFF')
})

interface Book {
  cells: string
  strings?: string
  styles?: string
  workbook?: string
}

function workbook({ cells, strings = '', styles = '', workbook: properties = '' }: Book): Buffer {
  return Buffer.from(
    zipSync({
      'xl/workbook.xml': strToU8(
        `<x:workbook xmlns:x="m" xmlns:r="r">${properties}<x:sheets><x:sheet name="Hidden" state="hidden" r:id="a"/><x:sheet name="Empty" r:id="b"/><x:sheet name="Data &amp; more" r:id="c"/></x:sheets></x:workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="worksheets/b.xml"/><Relationship Id="c" Target="/xl/worksheets/c.xml"/></Relationships>',
      ),
      'xl/worksheets/a.xml': strToU8('<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>'),
      'xl/worksheets/b.xml': strToU8(
        '<worksheet><sheetData><row r="9"><c r="A9" t="inlineStr"/></row></sheetData></worksheet>',
      ),
      'xl/worksheets/c.xml': strToU8(`<worksheet><dimension ref="A1:A1"/><sheetData>${cells}</sheetData></worksheet>`),
      'xl/sharedStrings.xml': strToU8(`<sst>${strings}</sst>`),
      'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
      'xl/media/picture.png': new Uint8Array(10),
    }),
  )
}
const inRow = (...cells: string[]) => `<row>${cells.join('')}</row>`

test('the first visible sheet with anything in it; its range and order are not believed', () => {
  const { rows, sheet, encoding } = readGrid(
    workbook({ cells: '<row r="3"><c r="C3"><v>1</v></c><c><v>2</v></c></row>' }),
  )
  expect({ sheet, encoding }).toEqual({ sheet: 'Data & more', encoding: 'xlsx' })
  expect(rows).toEqual([
    ['', '', '', ''],
    ['', '', '', ''],
    ['', '', '1', '2'],
  ])
})

test('texts: shared, in the cell, in pieces, without reading aids', () => {
  const strings =
    '<si><t>one</t></si><si><r><t>t</t></r><r><t>wo</t></r><rPh><t>aloud</t></rPh></si><si><t>a_x000A_b</t></si>'
  const cells = inRow(
    '<c t="s"><v>0</v></c>',
    '<c t="s"><v>1</v></c>',
    '<c t="s"><v>2</v></c>',
    '<c t="s"><v>9</v></c>',
    '<c t="inlineStr"><is><t>in</t></is></c>',
    '<c t="b"><v>1</v></c>',
    '<c t="e"><v>#REF!</v></c>',
    '<c t="d"><v>2026-11-18T08:05:00Z</v></c>',
    '<c t="str"><v>end</v></c>',
  )
  expect(readGrid(workbook({ cells, strings })).rows).toEqual([
    ['one', 'two', 'a\nb', '', 'in', 'TRUE', '#REF!', '2026-11-18 08:05:00', 'end'],
  ])
})

test('numbers as a person sees them, formulas as they were saved', () => {
  const value = (text: string) => `<c><v>${text}</v></c>`
  const cells = inRow(
    value('1.1000000000000001'),
    value('12632.130000000001'),
    value('-2000'),
    value('1234567890'),
    value('1.2345E4'),
    '<c><f>A1+B1</f><v>100.07</v></c>',
    '<c><f>NOW()</f></c>',
    '<c t="str"><f>"x"</f><v>x</v></c>',
  )
  expect(readGrid(workbook({ cells })).rows).toEqual([
    ['1.1', '12632.13', '-2000', '1234567890', '12345', '100.07', '=NOW()', 'x'],
  ])
})

test('dates and times by their format, built in, Thai, or of the workbook', () => {
  const formats = [
    ['164', 'dd/mm/bbbb hh:mm:ss'],
    ['165', '[$-107041E]d mmm yy;@'],
    ['166', 'h:mm AM/PM'],
    ['167', '#,##0.00 "day"'],
    ['168', '[Red]0.00'],
    ['169', 'yyyy-mm-dd hh:mm'],
    ['170', 'mmmm'],
  ]
  const ids = [14, 22, 21, 20, 71, 0, 4, ...formats.map(([id]) => Number(id))]
  const styles = `<numFmts>${formats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code!.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${ids.map(id => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`
  // 18/11/2026 08:05:00
  const cells = inRow(...ids.map((_, style) => `<c s="${style}"><v>46344.336805555555</v></c>`))
  const [row] = readGrid(workbook({ cells, styles })).rows
  expect(row).toEqual([
    '2026-11-18 08:05:00',
    '2026-11-18 08:05',
    '08:05:00',
    '08:05',
    '2026-11-18 08:05:00',
    '46344.3368055556',
    '46344.3368055556',
    '2026-11-18 08:05:00',
    '2026-11-18 08:05:00',
    '08:05',
    '46344.3368055556',
    '46344.3368055556',
    '2026-11-18 08:05',
    '2026-11-18 08:05:00',
  ])
  const whole = { cells: inRow('<c s="0"><v>46344</v></c>', '<c s="0"><v>-1</v></c>', '<c s="0"><v>x</v></c>'), styles }
  expect(readGrid(workbook(whole)).rows).toEqual([['2026-11-18', '-1', 'x']])
  expect(readGrid(workbook({ ...whole, workbook: '<workbookPr date1904="1"/>' })).rows[0]?.[0]).toBe('2030-11-19')
})

test('rows and columns beyond the limits are refused, unless they are empty', () => {
  const at = (row: number, column: string, value: string) => `<row r="${row}"><c r="${column}${row}">${value}</c></row>`
  expect(refusal(workbook({ cells: at(MAX_ROWS, 'CV', '<v>1</v>') }))).toBe('read')
  expect(refusal(workbook({ cells: at(MAX_ROWS + 1, 'A', '<v>1</v>') }))).toBe('STATEMENT_TOO_LARGE')
  expect(refusal(workbook({ cells: at(1, 'CW', '<v>1</v>') }))).toBe('STATEMENT_TOO_LARGE')
  expect(refusal(workbook({ cells: at(1, 'A', '<v>1</v>') + at(1_048_576, 'XFD', '') }))).toBe('read')
})

test('a small file that says it unpacks to a huge one is refused; one that lies about it is cut off', () => {
  const cells = Array.from({ length: 500 }, (_, i) => inRow(`<c><v>${i}</v></c>`)).join('')
  const bytes = workbook({ cells })
  const entry = bytes.lastIndexOf('xl/worksheets/c.xml') - 46
  const says = (size: number) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt32LE(size, entry + 24)
    return copy
  }
  const size = bytes.readUInt32LE(entry + 24)
  expect(refusal(says(size))).toBe('read')
  expect(refusal(says(MAX_UNPACKED_BYTES))).toBe('STATEMENT_TOO_LARGE')
  expect(refusal(says(size - 1))).toBe('STATEMENT_CUT_OFF')
})
