import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { line, typed } from '../line.ts'
import { instant, page as pageOf, paging, rowId, rowIdParam, satang } from '../wire.ts'
import { CODE_FILE_BYTES, VOUCHER_STATES } from './voucher.ts'

const uuid = z.uuid()
const day = z.iso.date()
const state = z.enum(VOUCHER_STATES)
const orderNo = line(20).min(1)
const reason = line(300).min(1)

/** How many codes there are in each state; those of `free` that have expired are counted as `expired` only. */
const counts = { free: z.int(), expired: z.int(), reserved: z.int(), sold: z.int(), withdrawn: z.int() }

const stock = z.object({
  packageId: rowId,
  packageName: z.string(),
  gameName: z.string(),
  isActive: z.boolean(),
  /** Whether buyers are told that it is sold out. */
  isOut: z.boolean(),
  /** Staff are told when so many are left; 0 never tells. */
  lowStock: z.int(),
  ...counts,
  /** How many of the free ones expire soon. */
  expiring: z.int(),
  soonestExpiry: day.nullable(),
  /** What the free ones cost; null for callers who may not see costs. */
  valueSatang: satang.nullable(),
})
export type Stock = z.output<typeof stock>

export const listStock = endpoint({
  method: 'GET',
  path: '/romons.voucher/api/stock',
  summary: 'Each package that delivers codes, with how many of them the shop has',
  allow: 'voucher.look',
  query: z.object({
    text: line(60).optional(),
    packageId: rowIdParam.optional(),
    /** Only packages that need somebody. */
    needs: z.enum(['low', 'expiring']).optional(),
    ...paging,
  }),
  reply: pageOf(stock),
})

const batch = z.object({
  id: uuid,
  name: z.string(),
  pieces: z.int(),
  ...counts,
  /** null for callers who may not see costs. */
  costSatang: satang.nullable(),
  importedByName: z.string().nullable(),
  importedAt: instant,
})
export type VoucherBatch = z.output<typeof batch>

export const listVoucherBatches = endpoint({
  method: 'GET',
  path: '/romons.voucher/api/batches',
  summary: 'The batches in which the codes of a package were imported, the newest first',
  allow: 'voucher.look',
  query: z.object({ packageId: rowIdParam, ...paging }),
  reply: pageOf(batch),
})

const voucher = z.object({
  id: uuid,
  lastFour: z.string(),
  state,
  isExpired: z.boolean(),
  expiresOn: day.nullable(),
  region: z.string(),
  orderNo: z.string().nullable(),
  batchId: uuid.nullable(),
  /** The batch's name; null for a code that a supplier delivered. */
  batchName: z.string().nullable(),
  /** null for callers who may not see costs. */
  costSatang: satang.nullable(),
  createdAt: instant,
  soldAt: instant.nullable(),
  /** When its buyer first saw it, on what device, and how often. */
  revealedAt: instant.nullable(),
  revealedOn: z.string().nullable(),
  reveals: z.int(),
  /** Whether to replace it takes evidence and a second person; false for one that no order has. */
  takesEvidence: z.boolean(),
  withdrawn: z
    .object({
      at: instant,
      byName: z.string().nullable(),
      reason: z.string(),
      /** What showed that it was bad: a picture, which `getSlip` reads, and the number of a complaint. */
      evidenceSlipId: uuid.nullable(),
      complaint: z.string().nullable(),
    })
    .nullable(),
})
export type VoucherView = z.output<typeof voucher>

export const listVouchers = endpoint({
  method: 'GET',
  path: '/romons.voucher/api/codes',
  summary: 'Codes by their ends, the newest first; of a code itself no more than that is told',
  allow: 'voucher.look',
  query: z.object({
    packageId: rowIdParam.optional(),
    batchId: uuid.optional(),
    orderNo: orderNo.optional(),
    state: state.optional(),
    lastFour: typed()
      .regex(/^[A-Za-z0-9]{1,4}$/)
      .optional(),
    ...paging,
  }),
  reply: pageOf(voucher),
})

/** A code as a preview shows it. */
const masked = z.object({
  line: z.int(),
  lastFour: z.string(),
  hasPin: z.boolean(),
  hasSerial: z.boolean(),
  expiresOn: day.nullable(),
})
/** Lines of a file; of many only the first are listed. */
const linesOf = <T extends z.ZodType>(row: T) => z.object({ count: z.int(), rows: z.array(row) })

const preview = z.object({
  draftId: uuid,
  /** How many codes would be imported. */
  good: z.int(),
  first: z.array(masked),
  last: z.array(masked),
  /** Lines whose code stands further up in the file. */
  repeated: linesOf(z.object({ line: z.int(), firstLine: z.int() })),
  /** Lines whose code the shop has, or has had. */
  known: linesOf(z.object({ line: z.int() })),
  bad: linesOf(z.object({ line: z.int(), reason: z.string() })),
})
export type CodePreview = z.output<typeof preview>

export const previewCodes = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/preview/:packageId',
  summary: 'Reads a file of codes and tells what would be imported; the file itself is not kept',
  allow: 'voucher.manage',
  params: z.object({ packageId: rowIdParam }),
  bodyKind: 'file',
  bodyLimitBytes: CODE_FILE_BYTES,
  reply: preview,
  errors: [
    'NOT_FOUND',
    'RATE_LIMITED',
    'VOUCHER_KEYS_MISSING',
    'VOUCHER_PACKAGE_WRONG',
    'CODE_FILE_TOO_LARGE',
    'CODE_FILE_EMPTY',
    'CODE_FILE_UNREADABLE',
    'CODE_FILE_COLUMNS',
    'CODE_FILE_TOO_LONG',
  ],
})

export const importCodes = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/import',
  summary:
    'Imports the codes of a file that its caller has looked at; each code that the shop knows by now is left out',
  allow: 'voucher.manage',
  idempotent: true,
  body: z.object({
    draftId: uuid,
    name: line(80).min(1),
    /** What one code cost. */
    costSatang: satang.min(0).max(10_000_000_00),
  }),
  reply: z.object({ batchId: uuid, packageId: rowId, imported: z.int(), known: z.int() }),
  errors: ['VOUCHER_KEYS_MISSING', 'CODE_DRAFT_GONE', 'CODES_ALL_KNOWN'],
})

export const withdrawVouchers = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/withdraw',
  summary: 'Takes a free code, or all that are free of a batch, out of sale',
  allow: 'voucher.manage',
  body: z.object({ of: z.union([z.object({ id: uuid }), z.object({ batchId: uuid })]), reason }),
  reply: z.object({ pieces: z.int() }),
  errors: ['NOT_FOUND', 'VOUCHER_NOT_FREE'],
})

export const returnVouchers = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/return',
  summary: 'Puts a code, or all of a batch, that staff took out of sale back into it; not what a buyer has had',
  allow: 'voucher.manage',
  body: z.object({ of: z.union([z.object({ id: uuid }), z.object({ batchId: uuid })]), reason }),
  reply: z.object({ pieces: z.int() }),
  errors: ['NOT_FOUND', 'VOUCHER_NOT_WITHDRAWN'],
})

export const seeVoucher = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/see',
  summary: 'Shows a manager one whole code; who saw it and why is kept, and admins are told',
  allow: 'voucher.see',
  secondWord: 'repeats',
  body: z.object({ id: uuid, reason }),
  reply: z.object({ code: z.string(), pin: z.string().nullable(), serial: z.string().nullable() }),
  errors: ['NOT_FOUND', 'RATE_LIMITED', 'VOUCHER_KEYS_MISSING', 'SECOND_WORD_NEEDED'],
})

export const replaceVoucher = endpoint({
  method: 'POST',
  path: '/romons.voucher/api/replace',
  summary:
    'Takes a bad code back from an order and hands it another of the same package; no money moves. Once somebody has looked at the code, or for a piece that was replaced before, it takes evidence and a second person',
  allow: 'order.work',
  secondWord: 'runs',
  body: z.object({
    orderNo,
    id: uuid,
    reason,
    /** A picture of how the game or shop refused the code, uploaded like a slip; it serves one code only. */
    evidenceSlipId: uuid.optional(),
    /** The number of the complaint at the code's supplier. */
    complaint: line(80).min(1).optional(),
  }),
  reply: z.object({ orderNo: z.string(), lastFour: z.string() }),
  errors: [
    'ORDER_NOT_FOUND',
    'OWN_ORDER',
    'VOUCHER_NOT_REPLACEABLE',
    'VOUCHER_NONE_LEFT',
    'VOUCHER_STOCK_UNSURE',
    'VOUCHER_NEEDS_EVIDENCE',
    'EVIDENCE_REUSED',
    'SLIP_NOT_FOUND',
    'SLIP_REUSED',
    'SECOND_WORD_NEEDED',
  ],
})
