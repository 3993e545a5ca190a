import { type ErrorCode, errorMessage, errorStatus } from '@shop/shared/errors.ts'
import type { CheckName } from '@shop/shared/health/check.ts'

/** What is seen of a fault; seconds are those of the shop's clock. */
export interface Seen {
  /** The answers to what customers can't do meanwhile. */
  codes: ErrorCode[]
  /** The checks that turn red, and after how long; null where none does. */
  red: (CheckName | 'database')[]
  redAfter: number | null
  /** How long after the end of the fault all is green again. */
  greenAfter: number
}

interface Fault extends Seen {
  title: string
  /** What customers meet beside those answers. */
  customers: string
  lost: string
  /** Where more of it is proved: test files, and the beginning of a test's name in each. */
  also: readonly (readonly [file: string, test: string])[]
}

/** Everything around the shop that may fail. health/faults.test.ts lets each of them happen. */
const FAULT = {
  databaseKilled: {
    title: 'PostgreSQL is killed, and is back after ten minutes',
    codes: ['UNAVAILABLE'],
    customers: 'The same purchase, sent again with its key, is made once.',
    red: ['database'],
    redAfter: 30,
    greenAfter: 270,
    lost: 'Nothing that was acknowledged.',
    also: [['order/placing/wallet-crash.test.ts', 'crashes during a load of buys']],
  },
  connectionsUsedUp: {
    title: 'All connections of the database are used up',
    codes: ['UNAVAILABLE'],
    customers: '`/live` and `/pulse` go on answering.',
    red: ['database'],
    redAfter: 30,
    greenAfter: 30,
    lost: 'Nothing.',
    also: [
      ['database/database.test.ts', 'a lock that does not come free, and connections that are all waiting for it'],
    ],
  },
  databaseDiskFull: {
    title: "The database's disk is full: it reads, and writes no order",
    codes: ['UNAVAILABLE'],
    customers: 'Pages go on; who orders is asked to come back, and nothing that was typed is lost.',
    red: ['answersFailing'],
    redAfter: 30,
    greenAfter: 90,
    lost: 'Nothing that was acknowledged.',
    also: [['health/answers.test.ts', 'what a process answers is told for two minutes']],
  },
  diskFull: {
    title: 'The disk of the uploads is full',
    codes: ['FILES_UNAVAILABLE'],
    customers: 'The picture stays in the form and can be sent again; the transfer can be reported without it.',
    red: ['jobFailing'],
    redAfter: 210,
    greenAfter: 30,
    lost: 'Nothing; no half of a file stays.',
    also: [['upload/files.test.ts', 'a folder that takes nothing is told the same way']],
  },
  bucketDown: {
    title: 'The bucket is down',
    codes: ['FILES_UNAVAILABLE'],
    customers: 'As with a full disk. Slips that are there are no more taken for missing.',
    red: ['jobFailing'],
    redAfter: 210,
    greenAfter: 30,
    lost: 'Nothing.',
    also: [['upload/files.test.ts', 'a bucket that is away fails the call of that moment']],
  },
  outboxStopped: {
    title: 'Nobody works on the outbox',
    codes: [],
    customers: 'Orders are placed and reported; slips stay "กำลังตรวจสลิป", and LINE is silent.',
    red: ['outboxDue'],
    redAfter: 210,
    greenAfter: 30,
    lost: 'Nothing; all of it is done afterwards.',
    also: [['outbox/drain.test.ts', 'what a killed process held is taken up again once its lock ran out']],
  },
  schedulerStopped: {
    title: 'The scheduler stands still',
    codes: [],
    customers: 'Orders are placed and paid by slip; money by bank lines from files, and unpaid orders, wait.',
    red: ['jobAge'],
    redAfter: 240,
    greenAfter: 30,
    lost: 'Nothing; what is due is done with the next run.',
    also: [['health/watch.test.ts', 'jobs that stopped are told within five minutes, all of them or one']],
  },
  clockAhead: {
    title: "The server's clock jumps an hour ahead, and back",
    codes: ['UNAUTHENTICATED'],
    customers:
      'Guests go on buying; who is signed in is asked to sign in again until the clock is right. Unpaid orders are "หมดเวลา"; their money pays them all the same. Slips of orders of that hour go to staff.',
    red: ['jobAge', 'clockApart'],
    redAfter: 30,
    greenAfter: 30,
    lost: 'Nothing; work that was stored for an hour later is done within a minute after the jump back.',
    also: [
      ['health/watch.test.ts', 'a clock that jumps by an hour both ways leaves nothing red once the jobs have run'],
    ],
  },
  clockBehind: {
    title: "The server's clock jumps an hour back, and is right again",
    codes: [],
    customers: 'Everybody goes on buying; unpaid orders may be paid an hour longer.',
    red: ['clockApart'],
    redAfter: 30,
    greenAfter: 60,
    lost: 'Nothing; work that seems to be an hour ahead is done within a minute.',
    also: [],
  },
  signingKeysAway: {
    title: "The keys of the identity provider can't be fetched",
    codes: ['UNAVAILABLE'],
    customers:
      'Who is signed in stays so for six hours by the keys that are kept. A token of a key that nobody knows yet is told to come again, and nobody is signed out.',
    red: ['jobFailing'],
    redAfter: 210,
    greenAfter: 30,
    lost: 'Nothing.',
    also: [['account/token.test.ts', 'can not be judged while %s: that is 503, and no reason to sign anybody out']],
  },
  lineAway: {
    title: 'LINE is down for a day',
    codes: ['LINE_UNAVAILABLE'],
    customers:
      'Nobody signs in with LINE; whoever is signed in, by mail, or a guest buys, and sees the status in the shop.',
    red: ['messagesFailing'],
    redAfter: 270,
    greenAfter: 180,
    lost: 'No order. Messages of the last eight hours are sent; older ones are given up and stand in the back office under "ข้อความ", where a person sends them again.',
    also: [['chat/sending.test.ts', 'when LINE stays away, the message ends in hours, not days']],
  },
  slipProviderLies: {
    title: 'The slip provider confirms what is not so',
    codes: ['SLIP_REUSED'],
    customers:
      'A slip of another amount, account, time or reference, or one that has paid already, pays nothing: staff decide, and the customer sees that they do.',
    red: [],
    redAfter: null,
    greenAfter: 0,
    lost: 'Nothing, and nothing is booked twice. What a provider confirms in full without any money is told after two days without a bank line.',
    also: [
      ['slipcheck/faults.test.ts', 'a plain transfer: every rule is told with both values'],
      ['slipcheck/same-slip.test.ts', 'of orders that show the same slip the one it fits is paid'],
    ],
  },
} as const satisfies Record<string, Fault>
export type FaultName = keyof typeof FAULT
export const ALL_FAULTS = Object.entries(FAULT) as [FaultName, Fault][]

const minutes = (seconds: number): string => (seconds < 60 ? 'at the next look' : `${seconds / 60} min`)
const answers = (codes: readonly ErrorCode[]): string =>
  codes.map(code => `**${errorStatus(code)}** \`${code}\` "${errorMessage(code)}" `).join('')

/** The table of docs/operations/faults.md. */
export function faultTable(): string {
  const rows = ALL_FAULTS.map(([name, { title, codes, customers, red, redAfter, greenAfter, lost, also }]) => [
    `\`${name}\`: ${title}`,
    answers(codes) + customers,
    redAfter === null ? 'stays green' : `${red.map(check => `\`${check}\``).join(', ')}, ${minutes(redAfter)}`,
    lost,
    redAfter === null ? '' : minutes(greenAfter),
    ['`health/faults.test.ts`', ...also.map(([file]) => `\`${file}\``)].join(', '),
  ])
  const head = ['fault', 'customers see', 'the pulse turns red', 'lost', 'green again after', 'proved in']
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
