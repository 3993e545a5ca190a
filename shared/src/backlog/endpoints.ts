import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { satang, instant as time } from '../wire.ts'
import { BACKLOG_KINDS } from './backlog.ts'

const waiting = z.object({
  /** Counting stops one above `MOST_KEPT`. */
  count: z.int(),
  /** Since when the oldest waits; null when nothing does. */
  oldest: time.nullable(),
  /** What it is about in money, where that says something. */
  amountSatang: satang.nullable(),
  /** How many of them somebody has in hand. */
  inHand: z.int(),
  /** The receiving account of the oldest, for work that is done per account. */
  receivingAccountId: z.int().nullable(),
})
export type Waiting = z.output<typeof waiting>

export const getBacklog = endpoint({
  method: 'GET',
  path: '/romons.dashboard/api/backlog',
  summary: 'What waits for the caller, by kind, and how the things that bring work are',
  allow: 'backlog.look',
  reply: z.object({
    /** Only what the caller can do. */
    waiting: z.partialRecord(z.enum(BACKLOG_KINDS), waiting),
    /** Up to when the bank's lines of an active account are known; managers only. */
    statements: z.array(
      z.object({
        receivingAccountId: z.int(),
        bankCode: z.string(),
        accountNo: z.string(),
        lastLineAt: time.nullable(),
      }),
    ),
    /** Calls to others that were given up, e.g. slip checks; managers only. */
    deadCalls: z.int(),
    nowDate: time,
  }),
})
export type Backlog = z.output<typeof getBacklog.reply>
