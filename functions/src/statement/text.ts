import { AppError } from '@shop/shared/errors.ts'

const BOMS: readonly { bytes: string; encoding: string }[] = [
  { bytes: '\xef\xbb\xbf', encoding: 'utf-8' },
  { bytes: '\xff\xfe', encoding: 'utf-16le' },
  { bytes: '\xfe\xff', encoding: 'utf-16be' },
]
/** No text of a bank has these; a file of another kind has them soon. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\x00-\x08\x0e-\x19\x1b-\x1f]/

/** The text of a file: as its mark says, else UTF-8 if it is, else the Thai code page of Windows. */
export function decodeText(bytes: Buffer): { text: string; encoding: string } {
  const start = bytes.toString('latin1', 0, 3)
  const marked = BOMS.find(bom => start.startsWith(bom.bytes))
  const decoded = marked ? decode(bytes, marked.encoding) : (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-874'))
  if (!decoded || decoded.text.trim() === '' || BINARY.test(decoded.text)) throw new AppError('STATEMENT_UNREADABLE')
  return decoded
}

/** Null when the bytes are not of this encoding. @throws STATEMENT_CUT_OFF when all are but half a sign at the end */
function decode(bytes: Buffer, encoding: string): { text: string; encoding: string } | null {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let text: string
  try {
    text = decoder.decode(bytes, { stream: true })
  } catch {
    return null
  }
  try {
    return { text: text + decoder.decode(), encoding }
  } catch {
    throw new AppError('STATEMENT_CUT_OFF', { values: { n: text.split('\n').length } })
  }
}
