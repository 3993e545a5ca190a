import { expect, test } from 'vitest'
import { termsSectionsOf } from './terms-sections.ts'

test('empty lines part sections; a first line that is no item is the title', () => {
  expect(termsSectionsOf('การเติมเกม\n- ข้อหนึ่ง\n- ข้อสอง\n\n \nการชำระเงิน\n- ข้อสาม\n')).toEqual([
    { title: 'การเติมเกม', lines: ['ข้อหนึ่ง', 'ข้อสอง'] },
    { title: 'การชำระเงิน', lines: ['ข้อสาม'] },
  ])
})

test.each([
  ['one line', 'ข้อเดียว', [{ title: '', lines: ['ข้อเดียว'] }]],
  ['items alone', '- ก\n• ข', [{ title: '', lines: ['ก', 'ข'] }]],
  [
    'lines from Windows',
    'หัวข้อ\r\n- ก\r\n\r\n- ข',
    [
      { title: 'หัวข้อ', lines: ['ก'] },
      { title: '', lines: ['ข'] },
    ],
  ],
])('nothing of %s is lost', (_, body, sections) => {
  expect(termsSectionsOf(body)).toEqual(sections)
})
