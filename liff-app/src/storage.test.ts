import { afterEach, expect, test } from 'vitest'
import { listSavedPlayers, savePlayer } from './buying/saved-players.ts'
import { getCurrentOrder } from './current-order.ts'
import { createDraft, getAcceptedTerms, getDraft, saveDraft } from './draft.ts'
import { isRemembered } from './remembered.ts'
import { read, write } from './storage.ts'

const person = {
  uid: 'u1',
  username: 'somchai',
  providers: ['password'],
  name: 'สมชาย',
  surname: 'ใจดี',
  displayName: 'สมชาย ใจดี',
  tel: null,
  email: 'a@example.com',
  emailVerified: true,
  reward: 0,
  createdDate: '2026-11-01T00:00:00.000Z',
  isActived: true,
  role: 'customer',
  roleName: 'ลูกค้า',
  mustChangePassword: false,
  mustChangePin: false,
  hasWallet: false,
}

afterEach(() => localStorage.clear())

const broken = [
  '"x"',
  '1',
  'true',
  '[]',
  '{}',
  '{',
  '',
  'undefined',
  '[null]',
  '{"uid":1}',
  '{"orderNo":{}}',
  '{"rov":[{}]}',
]

test.each(broken)('what others wrote into the browser is nobody and nothing, and is dropped: %s', text => {
  for (const key of ['userinfo', 'GamePackage', 'AcceptTerm', 'data', 'players']) localStorage.setItem(key, text)
  expect(read('user', isRemembered)).toBeNull()
  expect(localStorage.getItem('userinfo')).toBeNull()
  expect(getDraft()).toBeNull()
  expect(getCurrentOrder()).toBeNull()
  expect(listSavedPlayers('rov')).toEqual([])
  const terms = getAcceptedTerms()
  expect(terms === null || typeof terms === 'string').toBe(true)
})

test('what the shop itself kept is read again', () => {
  write('user', person)
  expect(read('user', isRemembered)).toEqual(person)
  const draft = {
    ...createDraft('rov'),
    playerId: '123',
    field2: 'S1',
    package: 3,
    paymentMethod: 'bank',
    actualPrice: 100,
  } as const
  saveDraft(draft)
  expect(getDraft()).toEqual(draft)
  savePlayer('rov', { playerId: '123', playerName: null })
  expect(listSavedPlayers('rov')).toEqual([{ playerId: '123', playerName: null }])
})

test.each(Object.keys(person))('a remembered person without %s is nobody', field => {
  const { [field as keyof typeof person]: _, ...rest } = person
  write('user', rest)
  expect(read('user', isRemembered)).toBeNull()
})
