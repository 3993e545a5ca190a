import * as z from 'zod'
import { valuesOf } from '../asking/keys.ts'
import { senderText } from '../environment/sender.ts'

const LINE_API = 'https://api.line.me'

const about = <Schema extends z.ZodType>(words: string, schema: Schema): Schema => schema.meta({ about: words })
const list = () => z.string().default('').transform(valuesOf)
const number = (standard: number) => z.coerce.number().positive().default(standard)

/** What the watcher is told. It has an environment of its own, on another machine; what the server has too has the same name. */
export const watcherVariables = z.object({
  STOREFRONT_URL: about("The shop's address for customers. It is asked itself, and below it /pulse.", z.url()),
  ADMIN_URL: about("The back office's address. It is asked as well, and stands in what is told.", z.url()),
  PULSE_KEYS: about(
    "One of the server's PULSE_KEYS: with it the watcher says what is red, and is missed when it falls silent.",
    list().refine(keys => keys.length > 0, 'must be set'),
  ),
  SMTP_URL: about(
    "A mail server, like smtps://user:password@smtp.example.com. Another one than the shop's outlives it.",
    list().pipe(z.array(z.url({ protocol: /^smtps?$/ }))),
  ),
  MAIL_FROM: about('The sender: an address, or `Name <address>`.', senderText.optional()),
  WATCH_MAIL_TO: about('Who is told by mail, separated by commas.', list()),
  LINE_CHANNEL_ACCESS_TOKEN: about('A token of the Messaging API channel.', list()),
  WATCH_LINE_TO: about('Who is told in LINE: ids of groups (C…) or persons (U…), separated by commas.', list()),
  DISKS: about(
    "Folders of this machine, separated by commas, whose disks are watched: for a watcher on the database's machine.",
    list(),
  ),
  WATCH_EVERY_SECONDS: about('How often is looked.', number(30)),
  WATCH_FAILURES: about(
    'After so many looks in a row something is told, and after as many that it is over.',
    number(3),
  ),
  WATCH_REMIND_MINUTES: about('How often is told that something is not over yet.', number(60)),
  WATCH_CERTIFICATE_DAYS: about('A certificate that is valid for fewer days is told.', number(14)),
  WATCH_DAILY_AT: about(
    "When the daily sign of life is sent, in Bangkok's time.",
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default('09:00'),
  ),
  WATCH_PULSE_URL: about('Where /pulse is, if not below STOREFRONT_URL.', z.url().optional()),
  LINE_API_BASE_URL: about('LINE itself; another address only in tests.', z.url().default(LINE_API)),
})

export type WatcherSettings = z.output<typeof watcherVariables>

/** A blank variable counts as not set. Returns sentences that name what is wrong instead, if something is. */
export function readWatcher(given: Record<string, string | undefined>): WatcherSettings | { flaws: string[] } {
  const parsed = watcherVariables.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, text]) => text?.trim())),
  )
  if (!parsed.success) return { flaws: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  const { SMTP_URL, MAIL_FROM, WATCH_MAIL_TO, LINE_CHANNEL_ACCESS_TOKEN, WATCH_LINE_TO } = parsed.data
  const mails = [SMTP_URL.length > 0, MAIL_FROM !== undefined, WATCH_MAIL_TO.length > 0]
  const line = [LINE_CHANNEL_ACCESS_TOKEN.length > 0, WATCH_LINE_TO.length > 0]
  const isHalf = (parts: boolean[]) => parts.includes(true) && parts.includes(false)
  const flaws = [
    ...(isHalf(mails) ? ['Mail needs SMTP_URL, MAIL_FROM and WATCH_MAIL_TO.'] : []),
    ...(isHalf(line) ? ['LINE needs LINE_CHANNEL_ACCESS_TOKEN and WATCH_LINE_TO.'] : []),
    ...([...mails, ...line].includes(true) ? [] : ['Nobody would be told: set WATCH_MAIL_TO or WATCH_LINE_TO.']),
  ]
  return flaws.length > 0 ? { flaws } : parsed.data
}
