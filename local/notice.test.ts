import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from './house.ts'
import { listPassedOn, notice } from './notice.ts'
import { projectRoot } from './os-process.ts'

test('NOTICE names what package-lock.json has for the sites and the server; WRITE_DOCS=1 writes it anew', () => {
  if (process.env.WRITE_DOCS) writeFileSync(join(projectRoot, 'NOTICE'), notice())
  expect(read('NOTICE')).toBe(notice())
})

test('those that send the reader to their README are the ones that NOTICE speaks of', () => {
  const elsewhere = [...listPassedOn()].filter(([, { license }]) => license?.startsWith('SEE')).map(([place]) => place)
  expect(elsewhere).toContain('node_modules/@line/liff')
  expect(elsewhere.filter(place => !/node_modules\/@(line|liff)\/[^/]+$/.test(place))).toEqual([])
})

test('who names no licence has a file that says what is granted', () => {
  const unnamed = [...listPassedOn()].filter(([, { license }]) => !license).map(([place]) => place)
  expect(
    unnamed.filter(place => !readdirSync(join(projectRoot, place)).some(name => /^licen[cs]e/i.test(name))),
  ).toEqual([])
})
