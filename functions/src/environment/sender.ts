import { isMailAddress } from '@shop/shared/mail/mail.ts'
import * as z from 'zod'

/** The sender of the shop's mail. */
export interface Sender {
  name: string
  address: string
}

const NAMED = /^(?<name>[^<>"\p{Cc}]{0,100})<(?<address>[^<>]+)>$/u

function readSender(text: string): Sender | null {
  const { name = '', address = text } = NAMED.exec(text)?.groups ?? {}
  return isMailAddress(address) ? { name: name.trim(), address } : null
}

/** Parses the setting `address` or `Name <address>`. */
export const senderText = z.string().transform((text, context): Sender => {
  const sender = readSender(text.trim())
  if (sender) return sender
  context.addIssue({ code: 'custom', message: 'must be an address, or Name <address>' })
  return z.NEVER
})
