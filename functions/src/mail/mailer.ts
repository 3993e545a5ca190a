import type { Transporter } from 'nodemailer'
import type { Sender } from './sender.ts'

interface OutgoingMail {
  /** The same for every try, so that a mailbox shows what arrives twice once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
}

/** `refused`: no other try will do. `unknown`: it may have arrived, or the server may take it later. */
export type MailAnswer = { kind: 'accepted' } | { kind: 'refused' | 'unknown'; message: string }

/** Hands mail to a server. Never throws. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailAnswer>
}

interface Options {
  /** smtp: or smtps:, with user and password if the server wants them. */
  url: string
  from: Sender
  /** For one mail altogether. */
  timeoutMs: number
  /** Refuses a server that does not encrypt. */
  requiresTls: boolean
}

const STANDARD_PORT = { 'smtp:': 587, 'smtps:': 465 }

async function openTransport({ url, timeoutMs, requiresTls }: Options): Promise<Transporter> {
  // Only where mail is sent: it takes a while to load.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  return createTransport({
    host: hostname,
    port: Number(port) || STANDARD_PORT[protocol as keyof typeof STANDARD_PORT],
    secure: protocol === 'smtps:',
    requireTLS: requiresTls,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** What is wrong with this very mail; everything else is the server's or ours, and may be over later. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']

function answerOf(error: unknown): MailAnswer {
  const { code, responseCode, response, command = '' } = error as Record<string, unknown>
  const isFinal = typeof responseCode === 'number' && responseCode >= 500 && isAboutTheMail(code, String(command))
  const message = typeof response === 'string' ? response : String(code ?? 'no answer')
  return { kind: isFinal ? 'refused' : 'unknown', message: message.slice(0, 300) }
}

const isAboutTheMail = (code: unknown, command: string): boolean =>
  code === 'EMESSAGE' || ABOUT_THE_MAIL.some(each => command.startsWith(each))

/** Settles by then, whatever a server that sends a letter a minute keeps open. */
function within(work: Promise<MailAnswer>, timeoutMs: number): Promise<MailAnswer> {
  const { promise, resolve } = Promise.withResolvers<MailAnswer>()
  const timer = setTimeout(() => resolve({ kind: 'unknown', message: 'ETIMEDOUT' }), timeoutMs)
  return Promise.race([promise, work]).finally(() => clearTimeout(timer))
}

export function createMailer(options: Options): Mailer {
  const { from, timeoutMs } = options
  let transport: Promise<Transporter> | undefined
  async function hand({ id, to, ...mail }: OutgoingMail): Promise<MailAnswer> {
    try {
      transport ??= openTransport(options)
      await (await transport).sendMail({
        ...mail,
        from,
        // As an object: a text is read as a list of addresses.
        to: { name: '', address: to },
        messageId: `<${id}@${from.address.split('@')[1]}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        textEncoding: 'base64',
      })
      return { kind: 'accepted' }
    } catch (error) {
      return answerOf(error)
    }
  }
  return { send: mail => within(hand(mail), timeoutMs) }
}
