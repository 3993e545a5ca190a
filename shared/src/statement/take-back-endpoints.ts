import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { satang, instant as time } from '../wire.ts'
import { TARGET_KINDS } from './statement.ts'

const uuid = z.uuid()
const path = '/romons.payment/api/statement/feedkeys/:id/takeback' as const
const sum = z.object({ lines: z.int(), amountSatang: satang })

/** A line whose effect can't be undone, with what it paid and the reason. */
const stuck = z.object({
  lineId: uuid,
  no: z.int(),
  amountSatang: satang,
  target: z.object({ kind: z.enum(TARGET_KINDS), id: uuid, no: z.string() }).nullable(),
  why: z.string(),
})

export const previewTakeBack = endpoint({
  method: 'GET',
  path,
  summary: 'What taking back the lines of a key since a moment would do; nothing is changed',
  allow: 'settings.pay',
  params: z.object({ id: uuid }),
  query: z.object({ since: time.optional() }),
  reply: z.object({
    /** Lines without an effect; they are voided. */
    idle: sum,
    /** Lines whose effect is undone before they are voided. */
    undone: sum,
    /** Lines whose effect can't be undone. */
    stuck: sum,
    /** Lines that a file or another key reported as well; they stay. */
    confirmed: sum,
    /** At most 100 of the lines that are stuck. */
    cases: z.array(stuck),
  }),
  errors: ['NOT_FOUND'],
})
export type TakeBackPreview = z.output<typeof previewTakeBack.reply>

export const takeBackLines = endpoint({
  method: 'POST',
  path,
  summary:
    'Ends a key and takes back its next lines that no other source confirmed; called again from `next` until that is null. Safe to repeat',
  allow: 'settings.pay',
  params: z.object({ id: uuid }),
  body: z.object({
    since: time.nullable().default(null),
    reason: line(500).min(1),
    /** The number of the line after which to continue. */
    after: z.int().min(0).default(0),
  }),
  reply: z.object({
    voided: z.int(),
    /** How many of the voided lines had an effect that was undone. */
    undone: z.int(),
    stuck: z.int(),
    left: z.int(),
    next: z.int().nullable(),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const settleDisputedLine = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines/:id/settle',
  summary: 'Says what became of a line that could not be taken back with its key: it is no longer listed as such',
  allow: 'settings.pay',
  params: z.object({ id: uuid }),
  body: z.object({ reason: line(500).min(1) }),
  reply: z.object({ id: uuid }),
  errors: ['NOT_FOUND'],
})
