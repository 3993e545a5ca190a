import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { keysOf } from '../table.ts'
import { instant, page, paging, satang } from '../wire.ts'
import { VALUE_MOVE_KINDS, WORD_STATES } from './value.ts'

const wordStates = keysOf(WORD_STATES)

const secondWord = z.object({
  id: z.uuid(),
  kind: z.string(),
  amountSatang: satang,
  /** `noun:id` of the thing it is about, and the thing's name. */
  subject: z.string(),
  subjectName: z.string().nullable(),
  note: z.string(),
  /** What the asker shows for it: the id of a picture, which `getSlip` reads, and a number that others know it by. */
  evidence: z.object({ slipId: z.uuid().nullable(), reference: z.string().nullable() }).nullable(),
  askedBy: z.string(),
  askedByName: z.string().nullable(),
  askedAt: instant,
  /** When it stops waiting. */
  expiresAt: instant,
  state: z.enum(wordStates),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  /** Why it was refused or could not be carried out. */
  reason: z.string().nullable(),
  isOwn: z.boolean(),
  /** Whether the asker must repeat the call themselves after the agreement. */
  isRepeated: z.boolean(),
  /** Why the caller can't agree to it, in words; null when they can, and when it no longer waits. */
  barrier: z.string().nullable(),
})
export type SecondWord = z.output<typeof secondWord>

export const listSecondWords = endpoint({
  method: 'GET',
  path: '/romons.value/api/words',
  summary: 'What waits for a second person, or waited: what the caller asked for, and what they may decide about',
  allow: 'value.wait',
  query: z.object({ ...paging, state: z.enum(['waiting', 'settled']).default('waiting') }),
  reply: page(secondWord),
})

export const giveSecondWord = endpoint({
  method: 'POST',
  path: '/romons.value/api/words/:id/give',
  summary: 'Gives the second word: what was asked for is done now, in the name of who asked',
  allow: 'value.second',
  params: z.object({ id: z.uuid() }),
  reply: z.object({
    /** False when the asker must repeat the call themselves. */
    isDone: z.boolean(),
  }),
  /** The errors of the call that is carried out may be answered as well. */
  errors: [
    'NOT_FOUND',
    'SECOND_WORD_NOT_YOURS',
    'SECOND_WORD_OVER',
    'SECOND_WORD_CHANGED',
    'NOBODY_HEARS',
    'CONFLICT',
    'PAYEE_CHANGED',
    'PAYEE_NEEDS_NO_WORD',
  ],
})

export const refuseSecondWord = endpoint({
  method: 'POST',
  path: '/romons.value/api/words/:id/refuse',
  summary: 'Refuses the second word; who asked takes their question back',
  allow: 'value.refuse',
  params: z.object({ id: z.uuid() }),
  body: z.object({ reason: line(200) }),
  reply: z.object({ id: z.uuid() }),
  errors: ['NOT_FOUND', 'SECOND_WORD_NOT_YOURS', 'SECOND_WORD_OVER'],
})

/** A Bangkok day that is a Monday; without it the current week. */
const week = z.iso.date().optional()

export const listValueMovers = endpoint({
  method: 'GET',
  path: '/romons.value/api/movers',
  summary: "Who moved value in a week without a customer's money: sums and counts per person and kind",
  allow: 'value.review',
  query: z.object({ week }),
  reply: z.object({
    /** The week's days, both included. */
    from: z.iso.date(),
    to: z.iso.date(),
    movers: z.array(
      z.object({
        uid: z.string(),
        name: z.string().nullable(),
        role: z.string(),
        kinds: z.array(
          z.object({
            kind: z.string(),
            count: z.int(),
            sumSatang: satang,
            /** How many of them had a second person. */
            seconded: z.int(),
          }),
        ),
      }),
    ),
    nowDate: instant,
  }),
})
export type ValueMover = z.output<typeof listValueMovers.reply>['movers'][number]

const valueMove = z.object({
  id: z.uuid(),
  at: instant,
  uid: z.string(),
  name: z.string().nullable(),
  kind: z.string(),
  amountSatang: satang,
  subject: z.string(),
  subjectName: z.string().nullable(),
  note: z.string(),
  secondName: z.string().nullable(),
  /** Whether it needed a second person although the shop had none. */
  isAlone: z.boolean(),
})
export type ValueMoveRow = z.output<typeof valueMove>

export const listValueMoves = endpoint({
  method: 'GET',
  path: '/romons.value/api/moves',
  summary: 'The single moves of a week, newest first',
  allow: 'value.review',
  query: z.object({
    ...paging,
    week,
    uid: z.string().max(200).optional(),
    kind: z.enum(VALUE_MOVE_KINDS as [string, ...string[]]).optional(),
  }),
  reply: page(valueMove),
})
