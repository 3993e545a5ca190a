import { expect, test } from 'vitest'
import { groupsOf, isNumberOpen, maskAddress, OPENING_SECONDS, OPENING_TRIES, openingOf, showsCodes } from './codes.ts'
import { ORDER_STATUSES } from './status.ts'

const nobody = { isBuyer: false, hasPin: false, isOfGuest: false, hasAddress: false }

test.each([
  [{ isBuyer: true }, 'press'],
  [{ isBuyer: true, isOfGuest: true, hasAddress: true }, 'press'],
  [{ isBuyer: true, hasPin: true }, 'pin'],
  [{ isOfGuest: true, hasAddress: true }, 'mail'],
  // A PIN of one's own opens nobody else's.
  [{ isOfGuest: true, hasPin: true }, 'elsewhere'],
  [{ isOfGuest: true }, 'elsewhere'],
  [{}, 'signIn'],
  [{ hasPin: true, hasAddress: true }, 'signIn'],
])('codes open by what their viewer is: %o by %s', (is, opening) => {
  expect(openingOf({ ...nobody, ...is })).toBe(opening)
})

test('only an order whose money the shop keeps shows its codes', () => {
  expect(ORDER_STATUSES.filter(showsCodes)).toEqual(['paid', 'processing', 'success'])
})

test('a number is tried for a time and so often', () => {
  const sentAt = new Date('2026-11-20T05:00:00Z')
  const after = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000)
  expect(isNumberOpen({ sentAt: null, tries: 0 }, sentAt)).toBe(false)
  expect(isNumberOpen({ sentAt, tries: OPENING_TRIES - 1 }, after(OPENING_SECONDS - 1))).toBe(true)
  expect(isNumberOpen({ sentAt, tries: OPENING_TRIES }, sentAt)).toBe(false)
  expect(isNumberOpen({ sentAt, tries: 0 }, after(OPENING_SECONDS))).toBe(false)
})

test.each([
  ['namkhao@example.com', 'na•••@example.com'],
  ['ab@example.com', 'a•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
])('an address is recognised and not told: %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown)
})

test.each([
  ['QX0O1LI9ZZ77', ['QX0O', '1LI9', 'ZZ77']],
  ['12345', ['1234', '5']],
  ['AAAA-BBBB', ['AAAA-BBBB']],
  ['', []],
])('a code is read in groups: %s', (code, groups) => {
  expect(groupsOf(code)).toEqual(groups)
})
