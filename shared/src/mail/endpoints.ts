import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { instant } from '../wire.ts'
import { MAIL_KINDS } from './mail.ts'

const unsentMail = z.object({
  id: z.uuid(),
  kind: z.enum(MAIL_KINDS),
  uid: z.string(),
  /** The name of the account's owner, or of whom of the shop's people it goes to. */
  name: z.string(),
  recipient: z.string(),
  state: z.enum(['waiting', 'dead']),
  /** The number of tries at the mail server. */
  attempts: z.int(),
  reason: z.string().nullable(),
  createdAt: instant,
})
export type UnsentMail = z.output<typeof unsentMail>

const mailState = z.object({
  /** Whether the shop sends mail. */
  isOn: z.boolean(),
  /** The latest mails that were not sent: given up, or still tried. */
  unsent: z.array(unsentMail),
})
export type MailStanding = z.output<typeof mailState>

export const getMail = endpoint({
  method: 'GET',
  path: '/romons.mail/api/state',
  summary: 'Whether the shop sends mail, and what did not go out',
  allow: 'message.look',
  reply: mailState,
})

export const resendMails = endpoint({
  method: 'POST',
  path: '/romons.mail/api/resend',
  summary: 'Tries dead mails for another day',
  allow: 'message.send',
  body: z.object({ ids: z.array(z.uuid()).min(1).max(100) }),
  /** The number of restarted mails, without those that somebody else restarted in the meantime. */
  reply: z.object({ resent: z.int() }),
})
