import { AppError } from '@shop/shared/errors.ts'

export interface DecodedText {
  text: string
  encoding: string
  /** It ends within a sign: the rest of the file is missing. */
  isCut: boolean
}

const BOMS: readonly { bytes: string; encoding: string }[] = [
  { bytes: '\xef\xbb\xbf', encoding: 'utf-8' },
  { bytes: '\xff\xfe', encoding: 'utf-16le' },
  { bytes: '\xfe\xff', encoding: 'utf-16be' },
]
/** No text of a bank has these; a file of another kind has them soon. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\x00-\x08\x0e-\x19\x1b-\x1f]/
/** What the decoder makes of bytes that stand for nothing in Thai. */
const NO_THAI = /[\x80-\x9f\uf8c1-\uf8c8]/

/** The text of a file: as its mark says, else UTF-8 if it is, else the Thai code page of Windows. @throws STATEMENT_UNREADABLE */
export function decodeText(bytes: Buffer): DecodedText {
  const start = bytes.toString('latin1', 0, 3)
  const marked = BOMS.find(bom => start.startsWith(bom.bytes))
  const decoded = marked ? decode(bytes, marked.encoding) : (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-874'))
  const isText = decoded && decoded.text.trim() !== '' && !BINARY.test(decoded.text)
  if (!isText || (decoded.encoding === 'windows-874' && NO_THAI.test(decoded.text)))
    throw new AppError('STATEMENT_UNREADABLE')
  return decoded
}

/** Null when the bytes are not of this encoding. */
function decode(bytes: Buffer, encoding: string): DecodedText | null {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let text: string
  try {
    text = decoder.decode(bytes, { stream: true })
  } catch {
    return null
  }
  try {
    return { text: text + decoder.decode(), encoding, isCut: false }
  } catch {
    return { text, encoding, isCut: true }
  }
}
