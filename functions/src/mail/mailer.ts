import type { Transporter } from 'nodemailer'
import { askWithAny, type KeyVerdict } from '../asking/keys.ts'
import { within } from '../asking/within.ts'
import type { Sender } from '../environment/sender.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when the shop sends no mail. */
    mail: Mailer | null
  }
}

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
export type MailAnswer = { kind: 'accepted' } | { kind: 'refused' | 'unknown'; message: string; isOutside?: boolean }

/** Hands mail to a mail server. Never throws. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailAnswer>
  /** Signs in at the mail server and sends nothing; `accepted` when mail could be handed over. */
  greet(): Promise<MailAnswer>
}

interface Options {
  /** smtp: or smtps: URLs, with user and password if the server needs them, the newest first. */
  urls: readonly string[]
  from: Sender
  /** The time limit for one mail, in milliseconds. */
  timeoutMs: number
  /** Whether a server that does not encrypt is refused. */
  requiresTls: boolean
  onAccepted?: (url: string) => Promise<void> | void
}

const STANDARD_PORT = { 'smtp:': 587, 'smtps:': 465 }

async function openTransport(url: string, { urls, timeoutMs, requiresTls }: Options): Promise<Transporter> {
  // Loaded only when mail is sent, because loading takes a while.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  // The others get their part of the time where nobody answers at the first address.
  const reachMs = timeoutMs / urls.length
  return createTransport({
    host: hostname,
    port: Number(port) || STANDARD_PORT[protocol as keyof typeof STANDARD_PORT],
    secure: protocol === 'smtps:',
    requireTLS: requiresTls,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: reachMs,
    greetingTimeout: reachMs,
    socketTimeout: timeoutMs,
    dnsTimeout: reachMs,
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
  const kind = isFinal ? 'refused' : 'unknown'
  return { kind, message: message.slice(0, 300), ...(wasOutside(error as Error) && { isOutside: true }) }
}

/** Connections that broke later look the same by their code, and may have handed the mail over. */
const wasOutside = ({ code, syscall, message }: Error & { code?: unknown; syscall?: unknown }): boolean =>
  code === 'EAUTH' ||
  code === 'EDNS' ||
  syscall === 'connect' ||
  /^(Connection timeout|Greeting never received)$/.test(message)

/** Who was not let in, or reached nobody, has handed nothing over, so the same may be tried at another address. */
const judge = (answer: MailAnswer): KeyVerdict =>
  answer.kind === 'accepted' ? 'accepted' : answer.isOutside ? 'refused' : null

const isAboutTheMail = (code: unknown, command: string): boolean =>
  code === 'EMESSAGE' || ABOUT_THE_MAIL.some(each => command.startsWith(each))

/** A server that answers very slowly may have taken the mail. */
const tooLate = (): MailAnswer => ({ kind: 'unknown', message: 'ETIMEDOUT' })

export function createMailer(options: Options): Mailer {
  const { urls, from, timeoutMs, onAccepted } = options
  const transports = new Map<string, Promise<Transporter>>()
  const asking = askWithAny(urls, onAccepted)
  const answer = (ask: (open: Transporter) => Promise<unknown>): Promise<MailAnswer> =>
    asking(async url => {
      try {
        const transport = transports.get(url) ?? openTransport(url, options)
        transports.set(url, transport)
        await ask(await transport)
        return { kind: 'accepted' } as const
      } catch (error) {
        return answerOf(error)
      }
    }, judge)
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
    send: mail => within(timeoutMs, hand(mail), tooLate),
    greet: () =>
      within(
        timeoutMs,
        answer(open => open.verify()),
        tooLate,
      ),
  }
}
