import { expect, test } from 'vitest'
import { type Letter, writeLetter } from './letter.ts'

const letter: Letter = {
  title: 'ร้านตั้ง PIN ใหม่',
  opening: 'PIN เดิมใช้ไม่ได้อีก',
  facts: [{ label: 'โดย', value: 'ทีมงานร้าน' }],
  advice: 'กรุณาติดต่อร้าน',
  action: { label: 'เปิดบัญชีของฉัน', url: 'https://shop.test/user/agent' },
}

test('a letter says the same as text and as HTML', () => {
  const { subject, text, html } = writeLetter(letter)
  expect(subject).toBe('ร้านตั้ง PIN ใหม่ · คราม เติมเกม')
  for (const part of [letter.title, letter.opening, 'โดย', 'ทีมงานร้าน', letter.advice, letter.action.label]) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
  expect(text).toContain('เปิดบัญชีของฉัน: https://shop.test/user/agent')
  expect(html).toContain('href="https://shop.test/user/agent"')
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='x`,
  '</td><a href="https://bad.test">',
])('what people typed is text in the HTML: %s', typed => {
  const facts = [{ label: typed, value: typed }]
  const { html } = writeLetter({ ...letter, title: typed, opening: typed, advice: typed, facts })
  expect(html.match(/<(script|img|a )/g)).toEqual(['<a '])
  expect(html).not.toContain('https://bad.test">')
  expect(html).not.toContain(typed)
})

test('line breaks and marks that turn the writing around are gone, in the subject too', () => {
  const { subject, text } = writeLetter({ ...letter, title: 'ก\r\nBcc: x@y.zz\u202eข\u0000' })
  expect(subject).toBe('ก Bcc: x@y.zz ข · คราม เติมเกม')
  expect(text.split('\n')[0]).toBe('ก Bcc: x@y.zz ข')
})
