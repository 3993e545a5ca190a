/** The kind of person or company, if a title tells it. */
type Kind = 'man' | 'woman' | 'company'

/** Titles as banks and people write them. A title may be joined to the name; then a syllable must begin after it. */
const TITLES: readonly [Kind | null, RegExp][] = [
  ['woman', /^(?:(?:นางสาว|นาง)(?=[\sก-ฮเ-ไ]|$)|น\.\s?ส\.|นส\.?(?=\s)|ด\.\s?ญ\.|เด็กหญิง|(?:mrs|miss|ms)\b\.?)/],
  ['man', /^(?:นาย(?=[\sก-ฮเ-ไ]|$)|ด\.\s?ช\.|เด็กชาย|(?:mr|mstr|master)\b\.?)/],
  ['company', /^(?:บริษัท|บมจ\.?|บจก\.?|บจ\.|หจก\.?|หสน\.?|ห้างหุ้นส่วน(?:จำกัด|สามัญ)?|ร้าน)/],
  [null, /^(?:คุณ(?=\s)|ดร\.|dr\b\.?)/],
]
/** Words after the name of a company; banks cut them anywhere. */
const ENDINGS = ['จำกัด', 'มหาชน', 'company', 'co', 'limited', 'ltd', 'public', 'pcl', 'plc', 'partnership', 'part']
const GLUED_ENDING = /^(.{2,})จำกัด$/u

/**
 * Characters with which a bank hides or omits something. A single "x" may be a letter; two at the end of a word hardly
 * are.
 */
const MASKED = /[*•]+|\.{2,}|\+{2,}|x{2,}(?=\s|$)/g
const HIDDEN = '*'
/** The number of matching letters that identify a name of which no word is shown completely. */
const MIN_LETTERS = 6

/**
 * Unifies different encodings of the same letters: a sara am in two parts, two sara e for a sara ae, invisible
 * characters.
 */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\u0E4D([\u0E48-\u0E4B]?)\u0E32/g, '$1\u0E33')
    .replace(/([\u0E48-\u0E4B])\u0E4D\u0E32/g, '$1\u0E33')
    .replaceAll('เเ', 'แ')
    .toLowerCase()
    .replace(MASKED, HIDDEN)
    .trim()

/** A name without titles and company endings; `*` stands for a hidden part of a word. */
interface Name {
  kind: Kind | null
  words: readonly string[]
}

function read(text: string): Name {
  const whole = folded(text)
  const [kind, title] = TITLES.find(([, pattern]) => pattern.test(whole)) ?? [null, /^/]
  const words = whole
    .replace(title, '')
    .split(/[^\p{L}\p{M}\p{N}*]+/u)
    .filter(Boolean)
  const end = words.findLastIndex(word => !ENDINGS.includes(word)) + 1
  const isCompany = kind === 'company' || end < words.length
  const bare = words.slice(0, end).map(word => (isCompany ? word.replace(GLUED_ENDING, '$1') : word))
  return { kind: isCompany ? 'company' : kind, words: bare }
}

const scriptOf = ({ words }: Name): 'thai' | 'latin' | null => {
  const letters = words.join('')
  return /[ก-ฮ]/.test(letters) ? 'thai' : /[a-z]/.test(letters) ? 'latin' : null
}

/** Tells whether a shown word can be this one. */
function agrees(shown: string, word: string, mayBeCut: boolean): boolean {
  const [start, ...others] = shown.split(HIDDEN)
  const end = others.at(-1)
  if (end === undefined) return shown === word || (mayBeCut && word.startsWith(shown))
  return word.startsWith(start!) && word.endsWith(end) && word.length >= start!.length + end.length
}

const lettersOf = (words: readonly string[]): number => words.join('').replaceAll(HIDDEN, '').length

/** Removes the rest of a cut company ending: "บริษัท คราม จำ", "KHRAM CO.,L". */
function withoutCutEnding(shown: readonly string[], own: Name): readonly string[] {
  const last = shown.at(-1) ?? ''
  const isEnding = own.kind === 'company' && ENDINGS.some(ending => ending.startsWith(last))
  return isEnding && shown.length > own.words.length ? withoutCutEnding(shown.slice(0, -1), own) : shown
}

export type NameFit = 'fits' | 'differs' | 'unclear'

/** Compares names of which one is written without spaces, or shows only the first word. */
function holdWhole(shown: readonly string[], own: readonly string[]): NameFit {
  const [text, whole] = [shown.join(''), own.join('')]
  if (!(agrees(text, whole, true) || (shown.length === 1 && agrees(text, own[0]!, true)))) return 'differs'
  const isTold = text === whole || (!text.includes(HIDDEN) && own.length > 1 && text.length >= own[0]!.length)
  return isTold || lettersOf(shown) >= MIN_LETTERS ? 'fits' : 'unclear'
}

/** Compares word by word; the last may be cut, the first may be an initial, and middle names may be missing. */
function holdWords(shown: readonly string[], own: readonly string[]): NameFit {
  const last = shown.length - 1
  const pairs = shown.map((word, index) => {
    const isCut = index === last && !agrees(word, own[index]!, true)
    return [word, (isCut ? own.at(-1) : own[index])!] as const
  })
  if (!pairs.every(([word, one], index) => agrees(word, one, index === last || word.length === 1))) return 'differs'
  const isWordWhole = pairs.some(([word, one]) => word === one && word.length > 1)
  return isWordWhole || lettersOf(shown) >= MIN_LETTERS ? 'fits' : 'unclear'
}

function holdOne(told: Name, own: Name): NameFit {
  if (told.kind && own.kind && told.kind !== own.kind) return 'differs'
  const shown = withoutCutEnding(told.words, own)
  if (shown.length === 1 || own.words.length === 1) return holdWhole(shown, own.words)
  return shown.length > own.words.length ? 'differs' : holdWords(shown, own.words)
}

function holdTold(told: Name, owns: readonly Name[]): NameFit {
  const script = scriptOf(told)
  const held = owns.filter(own => script !== null && scriptOf(own) === script).map(own => holdOne(told, own))
  if (held.includes('fits')) return 'fits'
  return held.length > 0 && held.every(one => one === 'differs') ? 'differs' : 'unclear'
}

/**
 * Compares the names that a bank shows for an account with those of its owner, in Thai and in Latin letters. Titles,
 * spaces, case, hidden and cut letters are ignored: "MR. SOMCHAI J" fits "Somchai Jaidee". `unclear` when too little or
 * only the other script is shown, or when one shown name fits and another does not.
 */
export function holdAgainstNames(owns: readonly string[], told: readonly string[]): NameFit {
  const own = owns.map(read)
  const held = told.map(name => holdTold(read(name), own))
  if (held.includes('differs')) return held.includes('fits') ? 'unclear' : 'differs'
  return held.includes('fits') ? 'fits' : 'unclear'
}
