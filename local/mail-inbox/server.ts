import { createServer, type Socket } from 'node:net'
import { listen } from '../listen.ts'
import { type ReceivedMail, readMail } from './read-mail.ts'

/** What a mail server does to the next mails, one of them each. */
export type MailFault =
  /** Takes no recipient for now, or for good. */
  | 'later'
  | 'noSuchMailbox'
  /** Takes the words for now, or for good not. */
  | 'dataLater'
  | 'dataRefused'
  /** Does not take the shop's sender. */
  | 'senderRefused'
  /** Greets nobody. */
  | 'silent'
  /** Takes the mail and says nothing of it. */
  | 'hangAfter'
  /** Takes the mail and is gone. */
  | 'dropAfter'

export interface RunningMailInbox {
  /** What the shop's server must be told to hand mail in here. */
  environment: { SMTP_URL: string; MAIL_FROM: string }
  /** Oldest first. */
  mails: ReceivedMail[]
  /** Each is done to one connection, the first to the next. */
  faults: MailFault[]
  stop(): Promise<void>
}

/** One connection's conversation. */
interface Talk {
  socket: Socket
  fault: MailFault | undefined
  from: string
  to: string[]
  /** Lines of the mail, while it comes. */
  data: string[] | null
}

/** Stands in for a mail server: speaks as much SMTP as handing in takes, without encryption, and keeps what it gets. */
export async function startMailInbox({ port }: { port: number }): Promise<RunningMailInbox> {
  const mails: ReceivedMail[] = []
  const faults: MailFault[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    const talk: Talk = { socket, fault: faults.shift(), from: '', to: [], data: null }
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
    stop() {
      for (const socket of sockets) socket.destroy()
      return listening.stop()
    },
  }
}

/** The address of `MAIL FROM:<…>` and `RCPT TO:<…>`. */
const addressOf = (line: string) => /<([^<>]*)>/.exec(line)?.[1] ?? ''

const ANSWER: Record<string, (talk: Talk, line: string) => string> = {
  EHLO: () => '250 mail.stand.in',
  MAIL(talk, line) {
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

/** What is said to a line; null for nothing. */
function answerTo(talk: Talk, line: string, mails: ReceivedMail[]): string | null {
  if (talk.data === null) return ANSWER[line.slice(0, 4).toUpperCase()]?.(talk, line) ?? '502 5.5.2 Not implemented'
  if (line === '.') return endOf(talk, talk.data, mails)
  // A line that begins with a dot comes with one more.
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
