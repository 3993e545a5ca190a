import { expect, test } from 'vitest'
import { judgeReturn } from './return-check.ts'

const script = { status: 200, type: 'text/javascript; charset=utf-8' }
const judge = (authDomain: string | null, storefront: string, answer: typeof script | null = script) =>
  judgeReturn({ authDomain, project: 'the-shop', storefront }, answer).kind

test("people come back from Google where Firebase answers at the shop's own site", () => {
  expect(judge('shop.example', 'shop.example')).toBe('ok')
  expect(judge('auth.shop.example', 'shop.example')).toBe('ok')
  expect(judge('auth.kraam.example', 'shop.kraam.example')).toBe('ok')
  expect(judge('shop.example', 'www.shop.example')).toBe('ok')
  expect(judge('auth.kraam.co.th', 'kraam.co.th')).toBe('ok')
})

test('another site is told, since a popup still works there', () => {
  expect(judge(null, 'shop.example')).toBe('note')
  expect(judge('the-shop.firebaseapp.com', 'shop.example')).toBe('note')
  expect(judge('other.co.th', 'kraam.co.th')).toBe('note')
  expect(judge('evilshop.example', 'shop.example')).toBe('note')
})

test('a name at which a page of the shop, or nothing, answers in place of Firebase is wrong', () => {
  expect(judge('shop.example', 'shop.example', null)).toBe('wrong')
  expect(judge('shop.example', 'shop.example', { status: 200, type: 'text/html' })).toBe('wrong')
  expect(judge('shop.example', 'shop.example', { status: 404, type: '' })).toBe('wrong')
})
