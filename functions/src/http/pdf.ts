import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keysOf } from '@shop/shared/table.ts'
import PDFDocument from 'pdfkit'

/** Makes the shop's PDF documents: A4 pages on which Thai is drawn correctly and can be copied as it was written. */

/** The complete typeface. Its web builds are split by script, so that the Thai ones lack digits. */
export const FONT_FILES = { regular: 'Sarabun_400Regular.ttf', bold: 'Sarabun_700Bold.ttf' } as const
export type FontName = keyof typeof FONT_FILES
export const FONT_NAMES = keysOf(FONT_FILES)

/** Returns the path of a font's file during development. */
export function findFontFile(name: FontName): string {
  const folder = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/sarabun/package.json'))
  const file = FONT_FILES[name]
  return join(folder, basename(file, '.ttf').replace('Sarabun_', ''), file)
}

/** The build puts these files beside the packaged server. */
function fontFileOf(name: FontName): string {
  const packaged = fileURLToPath(new URL(`fonts/${FONT_FILES[name]}`, import.meta.url))
  return existsSync(packaged) ? packaged : findFontFile(name)
}

interface Glyph {
  id: number
  codePoints: number[]
  advanceWidth: number
}

interface Run {
  glyphs: Glyph[]
  positions: object[]
}

/** The parts of pdfkit's embedded font that are used below; pdfkit does not declare them. */
interface EmbeddedFont {
  layout(text: string): Run
  encode(text: string): [string[], object[]]
  font: { glyphForCodePoint(codePoint: number): Glyph; hasGlyphForCodePoint(codePoint: number): boolean }
  subset: { glyphs: number[] }
  widths: number[]
  unicode: number[][]
  scale: number
}

const letters = new Intl.Segmenter('th', { granularity: 'grapheme' })
const words = new Intl.Segmenter('th', { granularity: 'word' })
const partsOf = (text: string, segmenter: Intl.Segmenter) => [...segmenter.segment(text)].map(({ segment }) => segment)

const SARA_AM = 'ำ'
const THAI_RUN = /[\u0e00-\u0e7f]+|[^\u0e00-\u0e7f]+/g
const codesOf = (text: string) => Array.from(text, letter => letter.codePointAt(0)!)

interface Drawn {
  glyph: Glyph
  position: object
  /** The code points that the glyph stands for. */
  text: number[]
}

const drawnOf = ({ glyphs, positions }: Run, textOf: (at: number) => number[]): Drawn[] =>
  glyphs.map((glyph, at) => ({ glyph, position: positions[at]!, text: textOf(at) }))

/**
 * Draws a Thai letter with its marks: one glyph for each code point, except a sara am that is drawn as a ring and a
 * stroke.
 */
function drawLetter(font: EmbeddedFont, letter: string): Drawn[] {
  const codes = codesOf(letter)
  const run = font.layout(letter)
  if (run.glyphs.length > codes.length && letter.endsWith(SARA_AM) && codes.length > 1) {
    const glyph = font.font.glyphForCodePoint(codes.at(-1)!)
    const advance = glyph.advanceWidth * font.scale
    const position = { xAdvance: advance, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: advance }
    return [...drawLetter(font, letter.slice(0, -1)), { glyph, position, text: codes.slice(-1) }]
  }
  const last = run.glyphs.length - 1
  return drawnOf(run, at => codes.slice(at, at === last ? undefined : at + 1))
}

function drawRun(font: EmbeddedFont, text: string): Drawn[] {
  if (/^[\u0e00-\u0e7f]/.test(text)) return partsOf(text, letters).flatMap(letter => drawLetter(font, letter))
  const run = font.layout(text)
  return drawnOf(run, at => run.glyphs[at]!.codePoints)
}

/**
 * pdfkit keeps one text for each glyph, the first that it stood for, so a sara am would change the text of every sara
 * aa. Here the text is drawn letter by letter, and each pair of a glyph and its text gets its own place in the embedded
 * font.
 */
function keepTexts(font: EmbeddedFont): void {
  const places = new Map<string, number>()
  const placeOf = ({ glyph, text }: Drawn): number => {
    const key = `${glyph.id}:${text.join()}`
    const known = places.get(key)
    if (known !== undefined) return known
    const place = font.subset.glyphs.push(glyph.id) - 1
    font.widths[place] = glyph.advanceWidth * font.scale
    font.unicode[place] = text
    places.set(key, place)
    return place
  }
  font.encode = text => {
    const drawn = (text.match(THAI_RUN) ?? []).flatMap(run => drawRun(font, run))
    return [drawn.map(each => placeOf(each).toString(16).padStart(4, '0')), drawn.map(({ position }) => position)]
  }
}

const fontOf = (document: unknown): EmbeddedFont => (document as { _font: EmbeddedFont })._font

/** Marks over letters, and what no paper shows. */
const NOT_SHOWN = /[\p{M}\p{Cf}]/gu

/**
 * What the current typeface can draw of a text, in which names may be written in any sign that phones have. Others become
 * the plain letter they stand for (𝕂 is K), else a question mark: a font for all of them is larger than the server.
 */
function drawableOf(document: unknown, text: string): string {
  const { font } = fontOf(document)
  const isDrawn = (letter: string) => codesOf(letter).every(code => font.hasGlyphForCodePoint(code))
  const drawnLetter = (letter: string) => {
    if (isDrawn(letter)) return letter
    if (letter.trim() === '') return letter.includes('\n') ? '\n' : ' '
    const plain = letter.normalize('NFKC')
    const bare = letter.normalize('NFKD').replace(NOT_SHOWN, '')
    return [plain, bare].find(isDrawn) ?? '?'
  }
  return partsOf(text, letters).map(drawnLetter).join('')
}

/** Opens an empty A4 document with margins in points, and returns it with a function that selects a typeface. */
export function openPaper({ title, margin }: { title: string; margin: number }) {
  // Without a first font pdfkit would load one of its own, which has no Thai.
  const document = new PDFDocument({
    size: 'A4',
    margin,
    lang: 'th',
    info: { Title: title },
    displayTitle: true,
    font: fontFileOf('regular'),
  })
  const prepared = new Set<unknown>()
  const setFont = (name: FontName, size: number) => {
    document.font(fontFileOf(name)).fontSize(size)
    const font = fontOf(document)
    if (!prepared.has(font)) keepTexts(font)
    prepared.add(font)
  }
  return { document, setFont }
}

export type Paper = ReturnType<typeof openPaper>

/** Finishes the document and returns its bytes. */
export async function closePaper({ document }: Paper): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  document.end()
  for await (const chunk of document) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

const OPENS = /[\p{Ps}\p{Pi}]$/u
const CLOSES = /^[\p{Pe}\p{Pf}\p{Po}ฯๆ]/u

/** Splits a text into words with the punctuation around them; lines may break between these. */
function listUnits(text: string): string[] {
  const units: string[] = []
  for (const word of partsOf(text, words)) {
    const before = units.at(-1)
    if (before !== undefined && (OPENS.test(before) || CLOSES.test(word))) units[units.length - 1] = before + word
    else units.push(word)
  }
  return units
}

/**
 * Breaks a text into lines no wider than `width` points in the current font. Lines break between Thai words; a word
 * that is too wide breaks between letters with their marks. pdfkit itself breaks Thai anywhere. What the font has no
 * letter for is written in others.
 */
export function linesOf({ document }: Paper, text: string, width: number): string[] {
  const fits = (line: string) => document.widthOfString(line) <= width
  return drawableOf(document, text)
    .split('\n')
    .flatMap(paragraph => {
      const parts = listUnits(paragraph).flatMap(unit => (fits(unit) ? [unit] : partsOf(unit, letters)))
      const lines = ['']
      for (const part of parts) {
        if (fits(lines.at(-1)! + part.trimEnd())) lines[lines.length - 1] += part
        else lines.push(part.trimStart())
      }
      return lines.map(line => line.trimEnd())
    })
}
