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
  /** The name of the recognised layout; null when a person must choose the columns. */
  layout: z.string().nullable(),
  /** The columns that were used; null while nobody has chosen them. */
  mapping: columnMapping.nullable(),
  /** The mapping that a person starts from: the one that was used, else a guess. */
  proposal: columnMapping,
  /** The first rows of the file, unchanged. */
  rows: z.array(z.array(z.string())),
  counts: z.object({ fresh: z.int(), known: z.int(), unreadable: z.int() }),
  inSatang: satang,
  outSatang: satang,
  fromDay: day.nullable(),
  toDay: day.nullable(),
  /** The first lines as they were read. */
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
  /** Cells that can't be read, by row and column, at most 100; nothing is imported while there is one. */
  problems: z.array(z.object({ rowNumber: z.int(), column: z.string().nullable(), message: z.string() })),
  /** Why the file is not of the account it was given for, and the account that it names, if the shop has it. */
  stranger: z.object({ message: z.string(), receivingAccountId: id.nullable() }).nullable(),
  /** What the file proves about itself: balances that follow each other, totals that agree. */
  checks: z.array(z.object({ ok: z.boolean(), text: z.string() })),
  /**
   * The number of new lines whose balance does not follow from the known ones: they are imported, but only people match
   * them.
   */
  gaps: z.int(),
})
export type StatementPreview = z.output<typeof preview>

const FILE_ERRORS = [
  'STATEMENT_UNREADABLE',
  'STATEMENT_TOO_LARGE',
  'STATEMENT_KIND',
  'STATEMENT_ENCRYPTED',
  'STATEMENT_TOO_COMPLEX',
  'STATEMENT_CUT_OFF',
  'STATEMENT_GARBLED',
  'STATEMENT_EMPTY',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNAVAILABLE',
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
  /** `mapping` null uses the recognised layout, or the mapping saved for it. */
  body: z.object({
    mapping: columnMapping.nullable(),
    remember: z.boolean(),
    /** Confirms that a person saw that balances do not follow from the known lines. */
    acceptsGap: z.boolean().default(false),
  }),
  reply: z.object({
    fileId: uuid,
    imported: z.int(),
    known: z.int(),
    /** Whether its lines prove no order's payment until a second person confirms the file, see `listWaitingFiles`. */
    needsSecond: z.boolean(),
  }),
  errors: [...FILE_ERRORS, 'STATEMENT_INVALID', 'STATEMENT_OTHER_ACCOUNT', 'STATEMENT_OTHER_BANK', 'STATEMENT_GAP'],
})

/** A file with more money than its uploader alone may vouch for. */
const waitingFile = z.object({
  id: uuid,
  fileName: z.string(),
  receivingAccountId: id,
  givenByName: z.string().nullable(),
  importedAt: time,
  fromDay: day,
  toDay: day,
  /** The incoming money that it reports, and in how many lines. */
  inSatang: satang,
  lines: z.int(),
  /** The number of orders that are not sent to the supplier until it is confirmed. */
  orders: z.int(),
  /** Why the caller can't be the second person, in words that end a sentence; null when they can. */
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
  /** The amount that the caller saw: when the file has grown since, it must be looked at again. */
  body: z.object({ inSatang: satang }),
  reply: z.object({ fileId: uuid }),
  errors: ['NOT_FOUND', 'CONFLICT', 'SECOND_WORD_NOT_YOURS', 'NOBODY_HEARS'],
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
    /** When `left` is 0: the number of matched lines of the file, by anybody; null when no file was named. */
    matchedOfFile: z.int().nullable(),
  }),
})

/** One line of a feed; amounts are satang, times ISO 8601 with an offset. */
const feedLine = z.object({
  at: z.iso.datetime({ offset: true }),
  /** A positive amount is money in. */
  amountSatang: satang.refine(amount => amount !== 0),
  balanceSatang: satang.nullable().default(null),
  detail: line(500).default(''),
  fromBank: z
    .string()
    .regex(/^\d{3}$/)
    .nullable()
    .default(null),
  fromAccount: line(40).nullable().default(null),
  /** The bank's own id of the movement, if it has one; that alone then identifies the line. */
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
  /** Its first characters; null for keys that are older than this field. */
  prefix: z.string().nullable(),
  /** The one account whose lines it sends; null for old keys, which were ended when keys became tied to accounts. */
  receivingAccountId: id.nullable(),
  createdAt: time,
  createdByName: z.string().nullable(),
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
  /** Why it accepts no more lines; null while it works. */
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
    /** The number of days it works; null means until somebody ends it. */
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
