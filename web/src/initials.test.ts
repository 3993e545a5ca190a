import { expect, test } from 'vitest'
import { getInitials } from './initials.ts'

test.each([
  ['น้ำข้าว', 'นข'],
  ['Somchai Jaidee', 'SJ'],
  ['เมย์', 'มย'],
  ['ใจดี ลูกค้า', 'จล'],
  ['', ''],
])('the avatar of %s shows %s', (name, initials) => {
  expect(getInitials(name)).toBe(initials)
})
