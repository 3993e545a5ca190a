import { AppError } from '@shop/shared/errors.ts'

export interface DecodedText {
  text: string
  encoding: string
  /** The text ends in the middle of a character, so the rest of the file is missing. */
  isCut: boolean
}

const BOMS: readonly { bytes: string; encoding: string }[] = [
  { bytes: '\xef\xbb\xbf', encoding: 'utf-8' },
  { bytes: '\xff\xfe', encoding: 'utf-16le' },
  { bytes: '\xfe\xff', encoding: 'utf-16be' },
]
/** Characters that no text of a bank contains, but that other kinds of files contain near their beginning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\x00-\x08\x0e-\x19\x1b-\x1f]/
/** What the decoder returns for bytes without a meaning in the Thai code page. */
const NO_THAI = /[\x80-\x9f\uf8c1-\uf8c8]/

/**
 * Decodes a file's text by its byte order mark, else as UTF-8 if it is valid, else with the Thai code page of Windows.
 * @throws STATEMENT_UNREADABLE
 */
export function decodeText(bytes: Buffer): DecodedText {
  const start = bytes.toString('latin1', 0, 3)
  const marked = BOMS.find(bom => start.startsWith(bom.bytes))
  const decoded = marked ? decode(bytes, marked.encoding) : (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-874'))
  const isText = decoded && decoded.text.trim() !== '' && !BINARY.test(decoded.text)
  if (!isText || (decoded.encoding === 'windows-874' && NO_THAI.test(decoded.text)))
    throw new AppError('STATEMENT_UNREADABLE')
  return decoded
}

/** Returns null when the bytes are not in this encoding. */
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
