import { MOST_CODES } from '@shop/shared/voucher/voucher.ts'
import { describe, expect, test } from 'vitest'
import { dayOf, readCodes } from './read-codes.ts'

const TODAY = '2026-11-20'
const read = (text: string) => readCodes(Buffer.from(text), TODAY)
const refusal = (bytes: string | Uint8Array) => {
  try {
    readCodes(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, TODAY)
    return 'read'
  } catch (error) {
    return (error as { code: string }).code
  }
}
const bare = { pin: null, serial: null, expiresOn: null }

describe('a file of codes', () => {
  test('has one on each line; empty lines, a byte order mark and the ends of lines of Windows do no harm', () => {
    expect(read('\ufeffAAAA-BBBB-1\r\n\r\n  AAAA-BBBB-2 \r\nAAAA-BBBB-3').codes).toEqual([
      { line: 1, code: 'AAAA-BBBB-1', ...bare },
      { line: 3, code: 'AAAA-BBBB-2', ...bare },
      { line: 4, code: 'AAAA-BBBB-3', ...bare },
    ])
  })

  test.each([',', ';', '\t'])('has columns between %j, in this order when nothing names them', delimiter => {
    const text = ['STEAM-0001', '1234', 'S-77', '31/12/2570'].join(delimiter)
    expect(read(text).codes).toEqual([
      { line: 1, code: 'STEAM-0001', pin: '1234', serial: 'S-77', expiresOn: '2027-12-31' },
    ])
  })

  test('names its columns in Thai or English, in any order; others are left out', () => {
    const expected = [{ line: 2, code: 'STEAM-0001', pin: '1234', serial: 'S-77', expiresOn: '2027-12-31' }]
    expect(read('วันหมดอายุ,รหัส PIN,ราคา,หมายเลขซีเรียล,รหัส\n31/12/2027,1234,300,S-77,STEAM-0001').codes).toEqual(expected)
    expect(read('Serial No.;Expiry Date;PIN;Price;Card Number\nS-77;2027-12-31;1234;300;STEAM-0001').codes).toEqual(
      expected,
    )
  })

  test('is read in the Thai code page of Windows, and in UTF-16', () => {
    const thai = Buffer.concat([Buffer.from([0xc3, 0xcb, 0xd1, 0xca]), Buffer.from('\nSTEAM-0001')])
    expect(readCodes(thai, TODAY).codes).toEqual([{ line: 2, code: 'STEAM-0001', ...bare }])
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('STEAM-0001\n', 'utf16le')])
    expect(readCodes(wide, TODAY).codes).toEqual([{ line: 1, code: 'STEAM-0001', ...bare }])
  })

  test('keeps the zeros that a spreadsheet was told to keep', () => {
    expect(read(`="00012345",'0042`).codes[0]).toMatchObject({ code: '00012345', pin: '0042' })
  })

  test('is read as it looks: with full-width letters and what nobody sees', () => {
    const { codes, bad } = read(
      'Ｃｏｄｅ\u200b,PIN\nＳＴＥＡＭ－０００１,１２\u206034\n\ufeff STEAM\u00ad-0002\u00a0,\u3164',
    )
    expect([codes.map(({ code, pin }) => [code, pin]), bad]).toEqual([
      [
        ['STEAM-0001', '1234'],
        ['STEAM-0002', null],
      ],
      [],
    ])
  })

  test.each([
    '=A2&"-"&B2',
    '=HYPERLINK("https://x.example")',
    '@SUM(A1:A9)',
    '-CONCAT(A1)',
    '#REF!',
    '#N/A',
    '########',
  ])('takes no formula for a code: %s', cell => {
    expect(read(`STEAM-0001\n"${cell.replaceAll('"', '""')}"`)).toMatchObject({
      codes: [{ code: 'STEAM-0001' }],
      bad: [{ line: 2, reason: 'รหัส เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ' }],
    })
  })

  test('tells of each line that holds none why', () => {
    const lines = [
      ['code', 'pin', 'expiry'],
      ['', '1234', ''],
      ['1.23457E+15', '', ''],
      ['A1', '', ''],
      ['รหัสลับของฉัน', '', ''],
      ['X'.repeat(201), '', ''],
      ['STEAM-0001', 'พิน', ''],
      ['STEAM-0002', '', '2027-02-30'],
      ['STEAM-0003', '', '20/11/2026'],
      ['STEAM-0004', '', '', 'more'],
      ['STEAM-0005', '', '21/11/2569'],
      ['=HYPERLINK(A1)', '', ''],
      ['#VALUE!', '', ''],
    ]
    const { codes, bad } = read(lines.map(cells => cells.join(',')).join('\n'))
    expect(codes.map(({ code }) => code)).toEqual(['STEAM-0005'])
    expect(bad).toEqual([
      { line: 2, reason: 'ไม่มีรหัส' },
      { line: 3, reason: 'รหัส ถูก Excel เปลี่ยนเป็นเลขยกกำลัง กรุณาใช้ไฟล์ต้นฉบับ' },
      { line: 4, reason: 'รหัสสั้นกว่า 6 ตัวอักษร' },
      { line: 5, reason: 'รหัส มีตัวอักษรที่ใช้ไม่ได้' },
      { line: 6, reason: 'รหัส ยาวเกิน 200 ตัวอักษร' },
      { line: 7, reason: 'PIN มีตัวอักษรที่ใช้ไม่ได้' },
      { line: 8, reason: 'วันหมดอายุอ่านไม่ได้ ใช้ 31/12/2570 หรือ 2027-12-31' },
      { line: 9, reason: 'หมดอายุแล้ว' },
      { line: 10, reason: 'มีคอลัมน์เกิน' },
      { line: 12, reason: 'รหัส เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ' },
      { line: 13, reason: 'รหัส เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ' },
    ])
  })

  test('is refused as a whole when it is empty, no text, too long or has no column of codes', () => {
    expect(refusal('\n \n')).toBe('CODE_FILE_EMPTY')
    expect(refusal('code,pin\n')).toBe('CODE_FILE_EMPTY')
    expect(refusal('pin,serial\n1,2')).toBe('CODE_FILE_COLUMNS')
    expect(refusal(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toBe('CODE_FILE_UNREADABLE')
    expect(refusal('"STEAM-0001\nSTEAM-0002')).toBe('CODE_FILE_UNREADABLE')
    const rows = (n: number) => Array.from({ length: n }, (_, i) => `STEAM-${i}`).join('\n')
    expect(refusal(rows(MOST_CODES + 1))).toBe('CODE_FILE_TOO_LONG')
    expect(refusal(`code\n${rows(MOST_CODES)}`)).toBe('read')
    // A title takes no code's place.
    expect(refusal(`Order\nof today\ncode\n${rows(MOST_CODES + 1)}`)).toBe('CODE_FILE_TOO_LONG')
  })

  test.each([
    'Redeem Code',
    'License Key',
    'Gift Card Code',
    'Voucher Number',
    'Serial Key',
    'คีย์',
    'sep=,',
    'sep=;',
    'Steam Wallet 300 THB',
    'Report of today,,,\n\nCode,PIN,Serial,Expiry',
    '1,23457E+15',
    'Your keys for you',
  ])('never takes a line that is no code for one: %j', above => {
    const { codes } = read(`${above}\nSTEAM-0001\nSTEAM-0002\nTotal 2 codes\n`)
    expect(codes.map(({ code }) => code)).toEqual(['STEAM-0001', 'STEAM-0002'])
  })

  test('whose title stands above its heading has its columns', () => {
    const { codes, bad } = read('Order 1 of 3\nserial;code;pin\nS-77;STEAM-0001;1234')
    expect(codes).toEqual([{ line: 3, code: 'STEAM-0001', pin: '1234', serial: 'S-77', expiresOn: null }])
    expect(bad).toEqual([{ line: 1, reason: 'อยู่เหนือหัวตาราง' }])
  })

  test('that is a page or an answer of a program is refused', () => {
    for (const text of [
      '<!doctype html><title>Sign in</title>',
      '<html>\n<body>',
      '{"codes":["AAAA-1111"]}',
      '[\n"AAAA-1111"]',
      '{\\rtf1\\ansi STEAM-0001}',
      '%PDF-1.4\n1 0 obj',
      '-----BEGIN CERTIFICATE-----\nTUlJQ2VSVElGSUNBVEUx',
      'BEGIN:VCARD\nFN:Somchai',
      'From: seller@codes.example\nSubject: Codes\n\nSTEAM-0001',
    ])
      expect(refusal(text)).toBe('CODE_FILE_UNREADABLE')
  })

  test('of codes made by chance has each of them, also those without a digit', () => {
    const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
    let state = 7
    const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31)
    const codeOf = () =>
      Array.from({ length: 8 }, () => letters[Math.floor((next() / 2 ** 31) * letters.length)]).join('')
    const made = Array.from({ length: 500 }, codeOf)
    expect(made.some(code => !/\d/.test(code))).toBe(true)
    expect(read(made.join('\n'))).toMatchObject({ codes: { length: 500 }, bad: [] })
    expect(read(`${made.join('\n')}\nthe-end`)).toMatchObject({ codes: { length: 500 }, bad: [{ line: 501 }] })
    // All of one kind, whatever it is.
    expect(read('summer sale\nwinter sale\nspring sale').codes).toHaveLength(3)
  })

  test('decides as a whole whether its days begin with the month', () => {
    const days = (...dates: string[]) => read(dates.map((date, nth) => `STEAM-000${nth},,,${date}`).join('\n')).codes
    expect(days('12/31/2027', '01/06/2027').map(({ expiresOn }) => expiresOn)).toEqual(['2027-12-31', '2027-01-06'])
    expect(days('31/12/2027', '01/06/2027').map(({ expiresOn }) => expiresOn)).toEqual(['2027-12-31', '2027-06-01'])
    // One that writes both is no file of days.
    expect(days('12/31/2027', '31/12/2027', '01/06/2027')).toHaveLength(2)
  })

  test('that quotes its own text in no refusal', () => {
    try {
      read('"STEAM-SECRET\nSTEAM-0002')
    } catch (error) {
      expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toContain('SECRET')
    }
  })
})

test.each([
  ['1/2/2027', '2027-02-01'],
  ['01-02-2570', '2027-02-01'],
  ['1.2.2570', '2027-02-01'],
  ['2570-02-01', '2027-02-01'],
  ['2027-02-01T00:00:00Z', '2027-02-01'],
  ['1/2/2027 23:59', '2027-02-01'],
  ['12/31/2027', null],
  ['1/2/27', null],
  ['29/2/2027', null],
  ['soon', null],
])('the day %s is %s', (text, day) => {
  expect(dayOf(text)).toBe(day)
})
