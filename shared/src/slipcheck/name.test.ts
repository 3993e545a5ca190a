import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdAgainstNames } from './name.ts'

const PERSON = ['นายสมชาย ใจดี', 'MR. SOMCHAI JAIDEE']
const COMPANY = ['บริษัท คราม เติมเกม จำกัด', 'KHRAM TERM GAME CO., LTD.']

describe('as banks write a name that is ours', () => {
  test.each<[owns: string[], told: string[]]>([
    [PERSON, ['นาย สมชาย ใ']],
    [PERSON, ['สมชาย ใ***']],
    [PERSON, ['สมชาย ***']],
    [PERSON, ['นาย สม*** ใจดี']],
    [PERSON, ['นาย ส***ย ใจดี']],
    [PERSON, ['นายสมชายใจดี']],
    [PERSON, ['สมชาย']],
    [PERSON, ['คุณ สมชาย ใจด++']],
    [PERSON, ['นาย สมชาย\u200B ใจดี ']],
    [PERSON, ['SOMCHAI J']],
    [PERSON, ['Mr. Somchai J.']],
    [PERSON, ['MR.SOMCHAI JAID']],
    [PERSON, ['S. JAIDEE']],
    [PERSON, ['SOMCHAI Jxxxxx']],
    [PERSON, ['นาย สมชาย ใ', 'MR. SOMCHAI J']],
    [['Miss Somying Jane Rakdee'], ['MISS SOMYING R']],
    [['น.ส.กานดา รักดี'], ['นางสาวกานดา ร']],
    [['นางสาว กานดา รักดี'], ['น.ส. กานดา ร…']],
    [['นายเเสง น้ำใส'], ['นาย แสง น้ํา']],
    [COMPANY, ['บจก. คราม เ']],
    [COMPANY, ['บจก.คราม เติมเกม']],
    [COMPANY, ['บริษัทครามเติมเกมจำกัด']],
    [COMPANY, ['บริษัท ครามเติมเ']],
    [COMPANY, ['บริษัท คราม เติมเกม จำ']],
    [COMPANY, ['บมจ. คราม เติมเกม จำกัด (มหาชน)']],
    [COMPANY, ['KHRAM TERM GAME COMPANY LIMITED']],
    [COMPANY, ['Khram Term Game Co.,L']],
    [['บจก. ครามเติมเกม'], ['บริษัท คราม เติม']],
  ])('%j fits %j', (owns, told) => {
    expect(holdAgainstNames(owns, told)).toBe('fits')
  })
})

describe('a name that is not ours', () => {
  test.each<[owns: string[], told: string[]]>([
    [PERSON, ['นาย ขโมย ใ']],
    [PERSON, ['นาย สมชัย ใจดี']],
    [PERSON, ['นาย สมชาย ก']],
    [PERSON, ['นาย สมชายชาญ ใจดี']],
    [PERSON, ['นาง สมชาย ใจดี']],
    [PERSON, ['บจก. สมชาย ใจดี']],
    [PERSON, ['SOMSAK J']],
    [PERSON, ['SOMCHAI K']],
    [PERSON, ['SOMCHAI JAIDEE KHAN']],
    [PERSON, ['สมศ***']],
    [PERSON, ['นาย ก*** ใจดี']],
    [COMPANY, ['นาย คราม เ']],
    [COMPANY, ['บจก. คราม เกมส์']],
    [COMPANY, ['KHRAM TRADING CO']],
    [['นายสมศักดิ์ ใจดี', 'Somchai Jaidee'], ['นาย สมชาย ใ']],
  ])('%j differs from %j', (owns, told) => {
    expect(holdAgainstNames(owns, told)).toBe('differs')
  })
})

describe('a name that tells too little', () => {
  test.each<[owns: string[], told: string[]]>([
    [PERSON, []],
    [PERSON, ['นาย']],
    [PERSON, ['นาย ส']],
    [PERSON, ['ส*** ใ***']],
    [PERSON, ['นาย ***']],
    [PERSON, ['S J']],
    [PERSON, ['0812345678']],
    [COMPANY, ['บริษัท คร']],
    [['นายสมชาย ใจดี'], ['SOMCHAI JAIDEE']],
    [['SOMCHAI JAIDEE'], ['นาย สมชาย ใ']],
    [PERSON, ['นาย สมชาย ใ', 'SOMSAK R']],
  ])('%j is unclear about %j', (owns, told) => {
    expect(holdAgainstNames(owns, told)).toBe('unclear')
  })
})

const syllable = fc.constantFrom('กา', 'ดี', 'สม', 'ชัย', 'พร', 'รัก', 'แสง', 'เดช', 'น้ำ', 'ใจ', 'วิ', 'ทอง')
const word = fc.array(syllable, { minLength: 2, maxLength: 4 }).map(parts => parts.join(''))
const title = fc.constantFrom('', 'นาย ', 'นาย', 'คุณ ')

test('whoever cuts a family name, in whatever spaces and titles, still tells the name', () => {
  fc.assert(
    fc.property(word, word, title, title, fc.nat(20), fc.boolean(), (given, family, ours, theirs, cut, isMasked) => {
      const shown = family.slice(0, 1 + (cut % family.length))
      const told = `${theirs}${given}  ${shown}${isMasked && shown !== family ? '***' : ''}`
      expect(holdAgainstNames([`${ours}${given} ${family}`], [told])).toBe('fits')
    }),
  )
})

test('another given name never fits, whatever is shown of the family name', () => {
  fc.assert(
    fc.property(word, word, word, fc.nat(20), (given, other, family, cut) => {
      fc.pre(given !== other)
      const told = `${other} ${family.slice(0, 1 + (cut % family.length))}`
      expect(holdAgainstNames([`${given} ${family}`], [told])).toBe('differs')
    }),
  )
})

test('any text is answered, and quickly', () => {
  const noise = fc.string({
    unit: fc.constantFrom('*', 'x', '.', ' ', 'ก', 'ำ', 'a', '++', 'จำกัด', 'co'),
    maxLength: 200,
  })
  fc.assert(
    fc.property(noise, noise, (own, told) => {
      expect(['fits', 'differs', 'unclear']).toContain(holdAgainstNames([own], [told]))
    }),
  )
})
