import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
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
    /** The shop's, as set; empty when it never closes. */
    openingHours: z.string(),
    nowDate: time,
  }),
})
export type Backlog = z.output<typeof getBacklog.reply>
