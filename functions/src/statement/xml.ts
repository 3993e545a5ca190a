import { AppError } from '@shop/shared/errors.ts'
import { Parser } from 'htmlparser2'
import { MAX_DEPTH, MAX_TAGS } from './limits.ts'

interface Handler {
  /** Called with an element's name without namespace prefix, and its attributes as written. */
  open?: (name: string, attributes: Record<string, string | undefined>) => void
  text?: (text: string) => void
  /** `isImplied`: nothing in the text ended it. */
  close?: (name: string, isImplied: boolean) => void
}

const SLICE = 1024 * 1024
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Parses XML in slices, so that it is never in memory as one text; does nothing for a missing part. What a document type
 * declares is not read: an entity of its own stays as it is written. @throws STATEMENT_TOO_COMPLEX
 */
export function readXml(xml: Uint8Array | undefined, { open, text, close }: Handler): void {
  let tags = 0
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++tags > MAX_TAGS || ++depth > MAX_DEPTH) throw new AppError('STATEMENT_TOO_COMPLEX')
        open?.(local(name), attributes)
      },
      ontext: text,
      onclosetag(name, isImplied) {
        depth--
        close?.(local(name), isImplied)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for (let at = 0; xml && at < xml.length; at += SLICE) {
    parser.write(decoder.decode(xml.subarray(at, at + SLICE), { stream: true }))
  }
  parser.end()
}
