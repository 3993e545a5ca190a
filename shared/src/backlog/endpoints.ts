import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { AUDIENCES } from '../permissions.ts'
import { satang, instant as time } from '../wire.ts'
import { BACKLOG_KINDS } from './backlog.ts'

const waiting = z.object({
  /** Counting stops one above `MOST_KEPT`. */
  count: z.int(),
  /** Since when the oldest has waited; null when nothing waits. */
  oldest: time.nullable(),
  /** The sum of their amounts; null for work without an amount. */
  amountSatang: satang.nullable(),
  /** How many of them somebody is working on. */
  inHand: z.int(),
  /** The receiving account of the oldest, for work that is done account by account. */
  receivingAccountId: z.int().nullable(),
})
export type Waiting = z.output<typeof waiting>

export const getBacklog = endpoint({
  method: 'GET',
  path: '/romons.dashboard/api/backlog',
  summary: 'What waits for the caller, by kind, and how the things that bring work are',
  allow: 'backlog.look',
  reply: z.object({
    /** Contains only the work that the caller can do. */
    waiting: z.partialRecord(z.enum(BACKLOG_KINDS), waiting),
    /** For each active account the time up to which the bank's lines are known; managers only. */
    statements: z.array(
      z.object({
        receivingAccountId: z.int(),
        bankCode: z.string(),
        accountNo: z.string(),
        lastLineAt: time.nullable(),
      }),
    ),
    /** The number of calls to outside services that were given up, e.g. slip checks; managers only. */
    deadCalls: z.int(),
    /** Where a newcomer tries the demo shop; a real shop has none. */
    demo: z.object({ shopUrl: z.string(), bankUrl: z.string() }).optional(),
    /** Since when nothing leaves the shop, and whether its database was restored; missing while all goes on. */
    safeMode: z.object({ since: time.nullable(), isRestored: z.boolean() }).optional(),
    /** Who can't be reached by LINE or mail, for those who can change that; missing while everybody is. */
    unheard: z.array(z.enum(AUDIENCES)).optional(),
    /** The shop's, as set; empty when it never closes. */
    openingHours: z.string(),
    nowDate: time,
  }),
})
export type Backlog = z.output<typeof getBacklog.reply>

const sold = z.object({ orders: z.int(), revenueSatang: satang })
/** Half of some deliveries took at most this long; null when there was none. */
const medianSeconds = z.int().nullable()

const salesOfToday = z.object({
  today: sold,
  /** Up to the same time of day. */
  yesterday: sold,
  lastWeek: sold,
  /** Orders by the hour of their payment, from 0 to 23: today's, and those of the whole same weekday of last week. */
  hours: z.array(z.object({ orders: z.int(), lastWeek: z.int() })).length(24),
  /** How many of today's orders were delivered. */
  delivered: z.int(),
  /** From the payment, or the opening before which it came, to the delivery. */
  medianSeconds,
  /** How many payments the shop found by itself today, and how many of all were looked for. */
  found: z.object({ alone: z.int(), all: z.int() }),
  /** When the shop's first order was paid; null when none was. */
  firstSaleAt: time.nullable(),
})
export type SalesOfToday = z.output<typeof salesOfToday>

const ownDay = z.object({
  /** Orders that the caller delivered today, or could not. */
  delivered: z.int(),
  failed: z.int(),
  /** From taking an order to its delivery. */
  medianSeconds,
  /** The orders that the caller has taken, the longest waiting first. */
  claimed: z.array(
    z.object({
      orderNo: z.string(),
      queueNo: z.int(),
      gameName: z.string(),
      packageName: z.string(),
      playerId: z.string(),
      waitsSince: time,
      usualMinutes: z.object({ from: z.int(), to: z.int() }),
    }),
  ),
})
export type OwnDay = z.output<typeof ownDay>

const news = z.object({
  at: time,
  /** Who did it, in words that begin a sentence. */
  actorName: z.string(),
  /** Whether nobody did it but the shop itself. */
  isAlone: z.boolean(),
  /** The rest of the sentence; a thing is named by its subject in the audit log. */
  pieces: z.array(z.union([z.string(), z.object({ subject: z.string(), name: z.string() })])),
  /** What it is about, e.g. the package of an order. */
  note: z.string().nullable(),
})
export type News = z.output<typeof news>

export const getToday = endpoint({
  method: 'GET',
  path: '/romons.dashboard/api/backlog/today',
  summary: "Today so far beside the same hours of earlier days, or a staff member's own, and what happened last",
  allow: 'backlog.look',
  reply: z.object({
    /** For those who may see the dashboards. */
    sales: salesOfToday.nullable(),
    /** For those who work on orders and may not. */
    own: ownDay.nullable(),
    /** What the caller may know of, newest first. */
    news: z.array(news),
    nowDate: time,
  }),
})
export type Today = z.output<typeof getToday.reply>
