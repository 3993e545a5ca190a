import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../line.ts'
import { rowId as id, rowIdParam, satang, instant as time } from '../wire.ts'
import { FEED_KEY_ENDS, KEY_DAYS } from './feed-key.ts'
import { columnMapping } from './mapping.ts'

const uuid = z.uuid()
const day = z.iso.date()

const preview = z.object({
  fileId: uuid,
  fileName: z.string(),
  encoding: z.string(),
  /** Name for people of the layout that was recognised; null when a person must point out the columns. */
  layout: z.string().nullable(),
  /** The columns as they were read; null while nobody pointed them out. */
  mapping: columnMapping.nullable(),
  /** Where pointing out begins: what was read by, else a guess. */
  proposal: columnMapping,
  /** The first rows of the file as they stand in it. */
  rows: z.array(z.array(z.string())),
  counts: z.object({ fresh: z.int(), known: z.int(), unreadable: z.int() }),
  inSatang: satang,
  outSatang: satang,
  fromDay: day.nullable(),
  toDay: day.nullable(),
  /** The first lines as they were understood. */
  lines: z.array(
    z.object({
      rowNumber: z.int(),
      day,
      time: z.string().nullable(),
      amountSatang: satang,
      balanceSatang: satang.nullable(),
      detail: z.string(),
      isKnown: z.boolean(),
    }),
  ),
  /** What can't be read, by row and column; nothing is imported while there is one. At most 100. */
  problems: z.array(z.object({ rowNumber: z.int(), column: z.string().nullable(), message: z.string() })),
  /** What the file proves about itself: balances that chain, totals that agree. */
  checks: z.array(z.object({ ok: z.boolean(), text: z.string() })),
  /** New lines whose balance does not follow from what is known of the account: they are taken, and matched by people only. */
  gaps: z.int(),
})
export type StatementPreview = z.output<typeof preview>

const FILE_ERRORS = [
  ...(['STATEMENT_UNREADABLE', 'STATEMENT_TOO_LARGE', 'STATEMENT_KIND', 'STATEMENT_ENCRYPTED'] as const),
  ...([
    'STATEMENT_TOO_COMPLEX',
    'STATEMENT_CUT_OFF',
    'STATEMENT_GARBLED',
    'STATEMENT_EMPTY',
    'NOT_FOUND',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ] as const),
] as const

export const readStatementFile = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/accounts/:receivingAccountId/files',
  summary: 'Takes a bank file and shows what an import would do; nothing is imported yet',
  allow: 'statement.match',
  bodyKind: 'file',
  bodyLimitBytes: 20 * 1024 * 1024,
  params: z.object({ receivingAccountId: rowIdParam }),
  reply: preview,
  errors: FILE_ERRORS,
})

export const previewStatementFile = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/files/:fileId/preview',
  summary: 'The same for columns that a person pointed out',
  allow: 'statement.match',
  params: z.object({ fileId: uuid }),
  body: z.object({ mapping: columnMapping }),
  reply: preview,
  errors: FILE_ERRORS,
})

export const importStatementFile = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/files/:fileId/import',
  summary: 'Takes all new lines of the file, or none; matching them follows by matchStatementLines',
  allow: 'statement.match',
  idempotent: true,
  params: z.object({ fileId: uuid }),
  /** `mapping` null: the layout that was recognised, or the mapping saved for it. */
  body: z.object({
    mapping: columnMapping.nullable(),
    remember: z.boolean(),
    /** A person saw that balances do not follow from what is known of the account. */
    acceptsGap: z.boolean().default(false),
  }),
  reply: z.object({
    fileId: uuid,
    imported: z.int(),
    known: z.int(),
    /** Its lines prove no order's money before a second person confirmed the file, see `listWaitingFiles`. */
    needsSecond: z.boolean(),
  }),
  errors: [
    ...FILE_ERRORS,
    ...(['STATEMENT_INVALID', 'STATEMENT_OTHER_ACCOUNT', 'STATEMENT_OTHER_BANK', 'STATEMENT_GAP'] as const),
  ],
})

/** A file that tells of more money than its giver alone speaks for. */
const waitingFile = z.object({
  id: uuid,
  fileName: z.string(),
  receivingAccountId: id,
  givenByName: z.string().nullable(),
  importedAt: time,
  fromDay: day,
  toDay: day,
  /** The money in that it tells of, in how many lines. */
  inSatang: satang,
  lines: z.int(),
  /** Orders that are not sent to the supplier before it is confirmed. */
  orders: z.int(),
  /** Why the caller is not to be the second person, in words that end a sentence; null when they are. */
  whyNot: z.string().nullable(),
})
export type WaitingFile = z.output<typeof waitingFile>

export const listWaitingFiles = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/files/waiting',
  summary: 'Files that wait for a second person, oldest first',
  allow: 'statement.look',
  reply: z.array(waitingFile),
})

export const confirmStatementFile = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/files/:fileId/confirm',
  summary:
    'A second person says that a file is the bank’s: its lines prove the money of orders, and the supplier may have those',
  allow: 'value.second',
  params: z.object({ fileId: uuid }),
  /** What they saw: a file that was added to since is looked at again. */
  body: z.object({ inSatang: satang }),
  reply: z.object({ fileId: uuid }),
  errors: ['NOT_FOUND', 'CONFLICT', 'SECOND_WORD_NOT_YOURS'],
})

export const matchStatementLines = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/match',
  summary: 'Tries the next lines that nobody tried yet; called again until none is left',
  allow: 'statement.match',
  body: z.object({ receivingAccountId: id, fileId: uuid.optional() }),
  reply: z.object({
    tried: z.int(),
    matched: z.int(),
    left: z.int(),
    /** With `left` 0: all lines of the file that are matched, whoever matched them; null where no file was named. */
    matchedOfFile: z.int().nullable(),
  }),
})

/** One line of a feed; amounts are satang, times ISO 8601 with an offset. */
const feedLine = z.object({
  at: z.iso.datetime({ offset: true }),
  /** Above zero is money in. */
  amountSatang: satang.refine(amount => amount !== 0),
  balanceSatang: satang.nullable().default(null),
  detail: line(500).default(''),
  fromBank: z
    .string()
    .regex(/^\d{3}$/)
    .nullable()
    .default(null),
  fromAccount: line(40).nullable().default(null),
  /** The bank's own id of the movement, where it has one: then it alone tells lines apart. */
  reference: line(100).min(1).nullable().default(null),
})

export const feedStatementLines = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/lines',
  summary: 'Lines from a machine that has a feed key (header X-Feed-Key); all are taken or none',
  allow: 'statement.feed',
  bodyLimitBytes: 2 * 1024 * 1024,
  body: z.object({ accountNo: line(20).min(1), lines: z.array(feedLine).min(1).max(5000) }),
  reply: z.object({ imported: z.int(), known: z.int(), matched: z.int() }),
  errors: ['FEED_KEY_INVALID', 'FEED_KEY_WRONG_ACCOUNT', 'NOT_FOUND', 'RATE_LIMITED'],
})

const feedKey = z.object({
  id: uuid,
  name: z.string(),
  /** Its first letters; null for keys of before they were kept. */
  prefix: z.string().nullable(),
  /** The one account it sends lines of; null for keys that were ended when keys came to belong to an account. */
  receivingAccountId: id.nullable(),
  createdAt: time,
  createdByName: z.string().nullable(),
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
  /** Why it takes no lines any more; null while it does. */
  end: z.enum(FEED_KEY_ENDS).nullable(),
})

export const listFeedKeys = endpoint({
  method: 'GET',
  path: '/romons.payment/api/statement/feedkeys',
  summary: 'Keys, those in use first; ended ones stay, their lines name them',
  allow: 'settings.pay',
  reply: z.array(feedKey),
})

export const createFeedKey = endpoint({
  method: 'POST',
  path: '/romons.payment/api/statement/feedkeys',
  summary: 'Makes a key for the lines of one account; it is shown this once, and works while its maker may make keys',
  allow: 'settings.pay',
  secondWord: 'repeats',
  body: z.object({
    name: line(60).min(1),
    receivingAccountId: id,
    /** How long it works; null is until somebody ends it. */
    days: z.int().min(1).max(3650).nullable().default(KEY_DAYS),
  }),
  reply: z.object({ id: uuid, key: z.string() }),
  errors: ['NOT_FOUND', 'SECOND_WORD_NEEDED'],
})

export const revokeFeedKey = endpoint({
  method: 'DELETE',
  path: '/romons.payment/api/statement/feedkeys/:id',
  summary: 'Ends a key',
  allow: 'settings.pay',
  params: z.object({ id: uuid }),
  reply: z.object({ id: uuid }),
  errors: ['NOT_FOUND'],
})
