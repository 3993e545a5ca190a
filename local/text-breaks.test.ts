import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './os-process.ts'

/** Syllables of the shop's words that dictionaries of browsers are known to cut, depending on what stands beside them. */
const SYLLABLES = ['แพ็ก', 'เกจ', 'ยอด', 'กรอก', 'หนึ่ง', 'บอก', 'โอน', 'ซื้อ', 'เติม', 'เกม', 'สลิป', 'เงิน', 'ร้าน', 'รหัส']
const storefront = join(projectRoot, 'liff-app/src')
const sources = readdirSync(storefront, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !/\.test\.|testing\./.test(path))
  .map(path => join(storefront, path))
const errors = join(projectRoot, 'shared/src/errors.ts')
const words = new Intl.Segmenter('th', { granularity: 'word' })

/** The syllables in a Thai text inside which a line may end. */
function cutIn(text: string): string[] {
  const cuts = [...words.segment(text)].map(({ index }) => index)
  return SYLLABLES.filter(syllable =>
    [...text.matchAll(new RegExp(syllable, 'g'))].some(({ index }) =>
      cuts.some(cut => cut > index && cut < index + syllable.length),
    ),
  )
}

test('a line of the shop’s own texts ends inside no syllable, as far as the dictionary tells', () => {
  expect(cutIn('เลือกแพ็กเกจก่อน')).toEqual(['เกจ'])
  const cut = [...sources, errors].flatMap(path =>
    (readFileSync(path, 'utf8').match(/[\u0e00-\u0e7f]+/g) ?? []).filter(text => cutIn(text).length > 0),
  )
  expect(cut).toEqual([])
})
