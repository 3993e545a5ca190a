import { AppError } from '@shop/shared/errors.ts'
import { Parser } from 'htmlparser2'
import { MAX_TAGS } from './limits.ts'

interface Handler {
  /** Names without the prefix of their namespace; attributes as they are written. */
  open?: (name: string, attributes: Record<string, string | undefined>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const SLICE = 1024 * 1024
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Goes through an XML text in slices, so that it is never a whole text in memory; nothing for a part that is not there.
 * @throws STATEMENT_TOO_COMPLEX
 */
export function readXml(xml: Uint8Array | undefined, { open, text, close }: Handler): void {
  let tags = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++tags > MAX_TAGS) throw new AppError('STATEMENT_TOO_COMPLEX')
        open?.(local(name), attributes)
      },
      ontext: text,
      onclosetag: close && (name => close(local(name))),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for (let at = 0; xml && at < xml.length; at += SLICE) {
    parser.write(decoder.decode(xml.subarray(at, at + SLICE), { stream: true }))
  }
  parser.end()
}
