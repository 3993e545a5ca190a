import { createServer, type Socket } from 'node:net'
import { listen } from '../listen.ts'
import { type ReceivedMail, readMail } from './read-mail.ts'

/** What the mail server does wrong with a connection. */
export type MailFault =
  /** Refuses the recipient, for now or for good. */
  | 'later'
  | 'noSuchMailbox'
  /** Refuses the text of the mail, for now or for good. */
  | 'dataLater'
  | 'dataRefused'
  /** Refuses the shop's sender address. */
  | 'senderRefused'
  /** Never sends its greeting. */
  | 'silent'
  /** Keeps the mail but does not answer. */
  | 'hangAfter'
  /** Keeps the mail, then closes the connection without an answer. */
  | 'dropAfter'

export interface RunningMailInbox {
  /** The settings with which the shop's server sends its mail here. */
  environment: { SMTP_URL: string; MAIL_FROM: string }
  /** Oldest first. */
  mails: ReceivedMail[]
  /** Each fault is used up by one connection, the first fault by the next connection. */
  faults: MailFault[]
  /** Who signs in has one of these passwords; while there is none, nobody is asked to. */
  passwords: string[]
  stop(): Promise<void>
}

/** The state of one connection. */
interface Talk {
  socket: Socket
  fault: MailFault | undefined
  passwords: readonly string[]
  isLetIn: boolean
  from: string
  to: string[]
  /** The lines of the mail that is being received; null while none is. */
  data: string[] | null
}

/** Stands in for a mail server. It knows the commands of SMTP that sending takes, without encryption, and keeps every mail. */
export async function startMailInbox({ port }: { port: number }): Promise<RunningMailInbox> {
  const mails: ReceivedMail[] = []
  const faults: MailFault[] = []
  const passwords: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    const talk: Talk = { socket, fault: faults.shift(), passwords, isLetIn: false, from: '', to: [], data: null }
    if (talk.fault !== 'silent') socket.write('220 mail.stand.in ESMTP\r\n')
    let rest = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        const answer = answerTo(talk, line, mails)
        if (answer) socket.write(`${answer}\r\n`)
      }
    })
  })
  const listening = await listen(server, port)
  return {
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${listening.port}`,
      MAIL_FROM: 'คราม เติมเกม <no-reply@shop.test>',
    },
    mails,
    faults,
    passwords,
    stop() {
      for (const socket of sockets) socket.destroy()
      return listening.stop()
    },
  }
}

/** The address of `MAIL FROM:<…>` and `RCPT TO:<…>`. */
const addressOf = (line: string) => /<([^<>]*)>/.exec(line)?.[1] ?? ''

const ANSWER: Record<string, (talk: Talk, line: string) => string> = {
  EHLO: ({ passwords }) => (passwords.length > 0 ? '250-mail.stand.in\r\n250 AUTH PLAIN' : '250 mail.stand.in'),
  AUTH(talk, line) {
    const [, , password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
      .toString('utf8')
      .split('\0')
    talk.isLetIn = talk.passwords.includes(password)
    return talk.isLetIn ? '235 2.7.0 Ok' : '535 5.7.8 Wrong password'
  },
  MAIL(talk, line) {
    if (talk.passwords.length > 0 && !talk.isLetIn) return '530 5.7.0 Sign in first'
    Object.assign(talk, { from: addressOf(line), to: [] })
    return talk.fault === 'senderRefused' ? '553 5.7.1 Sender not allowed' : '250 2.1.0 Ok'
  },
  RCPT({ fault, to }, line) {
    if (fault === 'later') return '450 4.2.0 Try again later'
    if (fault === 'noSuchMailbox') return '550 5.1.1 No such mailbox'
    to.push(addressOf(line))
    return '250 2.1.5 Ok'
  },
  DATA(talk) {
    talk.data = []
    return '354 Go ahead'
  },
  QUIT({ socket }) {
    setImmediate(() => socket.end())
    return '221 2.0.0 Bye'
  },
}

/** The answer to a line; null when there is none. */
function answerTo(talk: Talk, line: string, mails: ReceivedMail[]): string | null {
  if (talk.data === null) return ANSWER[line.slice(0, 4).toUpperCase()]?.(talk, line) ?? '502 5.5.2 Not implemented'
  if (line === '.') return endOf(talk, talk.data, mails)
  // SMTP doubles a dot at the beginning of a line.
  talk.data.push(line.replace(/^\./, ''))
  return null
}

function endOf(talk: Talk, data: string[], mails: ReceivedMail[]): string | null {
  const { socket, fault, from, to } = talk
  talk.data = null
  if (fault === 'dataLater') return '451 4.3.0 Try again later'
  if (fault === 'dataRefused') return '554 5.7.1 Looks like spam'
  mails.push(readMail({ from, to, raw: data.join('\r\n') }))
  if (fault === 'dropAfter') socket.destroy()
  return fault === 'dropAfter' || fault === 'hangAfter' ? null : '250 2.0.0 Ok, kept'
}
