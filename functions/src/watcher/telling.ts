import { randomUUID } from 'node:crypto'
import { createLineMessaging } from '../chat/line-messaging.ts'
import { createMailer } from '../mail/mailer.ts'
import type { WatcherSettings } from './variables.ts'
import type { Words } from './wording.ts'

interface Message extends Words {
  id: string
  date: Date
}

/** One person or group by one way, with what has not got through to them yet. */
interface Receiver {
  name: string
  /** Returns whether it is done with: it was taken, or never will be. */
  send(message: Message): Promise<boolean>
  waiting: Message[]
}

const TIMEOUT_MS = 15_000
/** Whoever could not be reached for a day needs no more than that afterwards. */
const MOST_WAITING = 20
const LONGEST = 2000
/** What a message that LINE will never take is answered with. */
const FINAL = ['accepted', 'refused', 'tooLate', 'full']
/** A mail server of this machine itself is not asked to encrypt. */
const LOCAL = /^smtp:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]?/

const escaped = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

function receiversOf(settings: WatcherSettings): Receiver[] {
  const {
    SMTP_URL: urls,
    MAIL_FROM: from,
    LINE_CHANNEL_ACCESS_TOKEN: accessTokens,
    LINE_API_BASE_URL: baseUrl,
  } = settings
  const requiresTls = !urls.every(url => LOCAL.test(url))
  const mailer = from && createMailer({ urls, from, timeoutMs: TIMEOUT_MS, requiresTls })
  const line = createLineMessaging({ baseUrl, accessTokens, timeoutMs: TIMEOUT_MS })
  const byMail = settings.WATCH_MAIL_TO.map(to => ({
    name: to,
    waiting: [],
    async send(message: Message) {
      const html = `<p>${escaped(message.text).replaceAll('\n', '<br>')}</p>`
      const answer = await mailer!.send({ ...message, to, html })
      return answer.kind !== 'unknown'
    },
  }))
  const inLine = settings.WATCH_LINE_TO.map(to => ({
    name: to,
    waiting: [],
    async send({ id: retryKey, text }: Message) {
      const messages = [{ type: 'text', text: text.slice(0, LONGEST) }] as const
      return FINAL.includes((await line.push({ to, retryKey, messages })).kind)
    },
  }))
  return [...byMail, ...inLine]
}

/** Hands messages to everybody who is to be told, and again until each of them got through. */
export function openTelling(settings: WatcherSettings, log: (line: string) => void) {
  const receivers = receiversOf(settings)
  return {
    put(words: Words) {
      log(words.subject)
      for (const { waiting } of receivers) {
        waiting.push({ ...words, id: randomUUID(), date: new Date() })
        waiting.splice(0, waiting.length - MOST_WAITING)
      }
    },
    async flush() {
      await Promise.all(
        receivers.map(async ({ name, send, waiting }) => {
          while (waiting[0] && (await send(waiting[0]))) waiting.shift()
          if (waiting.length > 0) log(`not told yet: ${name}, ${waiting.length} messages`)
        }),
      )
    },
  }
}
