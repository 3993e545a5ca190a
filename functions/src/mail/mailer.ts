import type { Transporter } from 'nodemailer'
import type { Sender } from './sender.ts'

interface OutgoingMail {
  /** The mail's id, equal for every try, so that a mailbox shows a mail that arrives twice only once. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
}

/** `refused`: another try is useless. `unknown`: the mail may have arrived, or the server may accept it later. */
export type MailAnswer = { kind: 'accepted' } | { kind: 'refused' | 'unknown'; message: string }

/** Hands mail to a mail server. Never throws. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailAnswer>
  /** Signs in at the mail server and sends nothing; `accepted` when mail could be handed over. */
  greet(): Promise<MailAnswer>
}

interface Options {
  /** A smtp: or smtps: URL, with user and password if the server needs them. */
  url: string
  from: Sender
  /** The time limit for one mail, in milliseconds. */
  timeoutMs: number
  /** Whether a server that does not encrypt is refused. */
  requiresTls: boolean
}

const STANDARD_PORT = { 'smtp:': 587, 'smtps:': 465 }

async function openTransport({ url, timeoutMs, requiresTls }: Options): Promise<Transporter> {
  // Loaded only when mail is sent, because loading takes a while.
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

/**
 * Commands whose failure is caused by this very mail. Any other failure is the server's or ours, and may be over later.
 */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']

function answerOf(error: unknown): MailAnswer {
  const { code, responseCode, response, command = '' } = error as Record<string, unknown>
  const isFinal = typeof responseCode === 'number' && responseCode >= 500 && isAboutTheMail(code, String(command))
  const message = typeof response === 'string' ? response : String(code ?? 'no answer')
  return { kind: isFinal ? 'refused' : 'unknown', message: message.slice(0, 300) }
}

const isAboutTheMail = (code: unknown, command: string): boolean =>
  code === 'EMESSAGE' || ABOUT_THE_MAIL.some(each => command.startsWith(each))

/** Settles within the time limit, even when the server answers very slowly. */
function within(work: Promise<MailAnswer>, timeoutMs: number): Promise<MailAnswer> {
  const { promise, resolve } = Promise.withResolvers<MailAnswer>()
  const timer = setTimeout(() => resolve({ kind: 'unknown', message: 'ETIMEDOUT' }), timeoutMs)
  return Promise.race([promise, work]).finally(() => clearTimeout(timer))
}

export function createMailer(options: Options): Mailer {
  const { from, timeoutMs } = options
  let transport: Promise<Transporter> | undefined
  async function answer(ask: (open: Transporter) => Promise<unknown>): Promise<MailAnswer> {
    try {
      transport ??= openTransport(options)
      await ask(await transport)
      return { kind: 'accepted' }
    } catch (error) {
      return answerOf(error)
    }
  }
  const hand = ({ id, to, ...mail }: OutgoingMail) =>
    answer(open =>
      open.sendMail({
        ...mail,
        from,
        // Given as an object, because a text would be parsed as a list of addresses.
        to: { name: '', address: to },
        messageId: `<${id}@${from.address.split('@')[1]}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        textEncoding: 'base64',
      }),
    )
  return {
    send: mail => within(hand(mail), timeoutMs),
    greet: () =>
      within(
        answer(open => open.verify()),
        timeoutMs,
      ),
  }
}
