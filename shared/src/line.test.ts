import { expect, test } from 'vitest'
import { code, pin } from './account/fields.ts'
import { readPlayerValue } from './catalogue/player-format.ts'
import { line, lines, typed, typedMail } from './line.ts'
import { accountNo } from './order/fields.ts'
import { saveOption } from './settings/endpoints.ts'
import { parseBaht } from './typed-baht.ts'
import { asSeen } from './typed-text.ts'

/** What nobody sees, or what turns the direction of writing around. */
const UNSEEN = [
  ...'\u00ad\u034f\u061c\u115f\u180b\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u202e\u2060\u2066\u2069\u3164\ufe00\ufe0f\ufeff\uffa0\u{e0041}',
]

test.each(UNSEEN)('a text with %j inside, before and after is the text that is seen', unseen => {
  const text = `${unseen}us${unseen}er${unseen}`
  expect([typed().parse(text), line(4).parse(text), lines(4).parse(text)]).toEqual(['user', 'user', 'user'])
  expect(typedMail().parse(`${unseen}a@shop.test`)).toBe('a@shop.test')
  expect(readPlayerValue({ kind: 'digits', min: 5, max: 12 }, `123${unseen}45`)).toBe('12345')
  expect(readPlayerValue(null, text)).toBe('user')
  // Nothing is left of it.
  expect(line(4).safeParse(unseen).data ?? '').toBe('')
})

test('one code stands for what looks alike: full-width letters, spaces of all kinds, marks on their own', () => {
  expect(asSeen('Ａｂ１２＃＿')).toBe('Ab12#_')
  expect(typed().parse('\u3000a\u00a0b\u2003c ')).toBe('a b c')
  expect(asSeen('e\u0301')).toBe('é')
  expect(readPlayerValue({ kind: 'digits', min: 5, max: 12 }, '１２ ๓๔-5')).toBe('12345')
})

test('what is seen stays: Thai vowels and tones, other scripts, pictures that are joined', () => {
  for (const text of [
    'น้ำใจ เก่งที่สุด',
    '☬KING☬',
    '플레이어',
    '👨\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '👍🏽',
    'ＡＢ'.normalize('NFKC'),
  ])
    expect(typed().parse(text)).toBe(text)
})

test('a telephone number copied from contacts is that number', () => {
  expect(typed().parse('\u202a+66\u00a081\u2011234\u20115678\u202c')).toBe('+66 81‑234‑5678')
})

test('a number that was copied with what stands between its digits, or typed on another keyboard, is that number', () => {
  expect(accountNo.parse('４０５\u2011๑๒๓\u200b 6789')).toBe('4051236789')
  expect([code.parse('\u200b123\u00a0456'), pin.parse('๑２３4')]).toEqual(['123456', '1234'])
  expect(parseBaht('１,２００\u200b.50 ')).toBe(1_200_50)
})

test('a setting is kept as it is seen', () => {
  const body = { optionName: 'LINE_OA_ID', optionValue: '\ufeff＠kraam\u200b ', fromValue: '' }
  expect(saveOption.body.parse(body).optionValue).toBe('@kraam')
})
