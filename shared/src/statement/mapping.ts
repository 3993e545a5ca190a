import * as z from 'zod'
import { line } from '../line.ts'
import { DATE_ORDERS, type DateForm, ERAS } from './cell-date.ts'

/** Header rows are looked for in, and people shown, so many rows of a file. */
export const PREVIEW_ROWS = 60
export const MOST_COLUMNS = 100
/** Of longer cells only the beginning is shown, kept and compared as a heading. */
const MOST_SHOWN = 200

/** Counted from 0. */
const column = z
  .int()
  .min(0)
  .max(MOST_COLUMNS - 1)
const words = z.array(line(100).min(1)).max(20)

const amountSchema = z.discriminatedUnion('style', [
  /** A withdrawal is money out, with or without a minus. */
  z.object({ style: z.literal('two-columns'), deposit: column, withdrawal: column }),
  /** One column, minus is money out. */
  z.object({ style: z.literal('signed'), column }),
  /** One column, and words in another that say which way. */
  z.object({ style: z.literal('direction'), column, directionColumn: column, inWords: words, outWords: words }),
  /** One column; which way, the balance tells. A minus anywhere in the column makes it a signed one. */
  z.object({ style: z.literal('balance'), column }),
])

/** Which column of a statement file holds what. */
export const columnMapping = z
  .object({
    /** Row of the headings, counted from 0; null for a file without. */
    headerRow: z
      .int()
      .min(0)
      .max(PREVIEW_ROWS - 1)
      .nullable(),
    /** The cells of that row. They find it again where a file has more or fewer rows above it; empty without headings. */
    header: z.array(z.string().max(MOST_SHOWN)).max(MOST_COLUMNS),
    /** Thai and English month names, 12 and 24 hours, 2 and 4 digits are understood; a time may stand behind the date. */
    date: z.object({ column, order: z.enum(DATE_ORDERS), era: z.enum(ERAS) }),
    /** Null when the time stands behind the date or nowhere. */
    timeColumn: column.nullable(),
    amount: amountSchema,
    balanceColumn: column.nullable(),
    detailColumns: z.array(column).max(10),
    channelColumn: column.nullable(),
    /** Where the sender's bank and account have columns of their own; else they are looked for in the details. */
    fromBankColumn: column.nullable(),
    fromAccountColumn: column.nullable(),
    /** The column of the file's own account, where rows of several accounts may stand in one file. */
    accountColumn: column.nullable(),
    /** 3-digit code of the bank whose file it is; a sender without bank is a customer of it. */
    bank: z
      .string()
      .regex(/^\d{3}$/)
      .nullable(),
    /**
     * Rows that are no movements: whose first filled cell begins with one of these words, or that have it as a whole
     * cell. A row with a date and an amount is never skipped. Opening balances and totals are known without.
     */
    skipRows: words,
  })
  .refine(({ amount, balanceColumn }) => amount.style !== 'balance' || balanceColumn !== null, {
    path: ['balanceColumn'],
    message: 'กรุณาเลือกคอลัมน์ยอดคงเหลือ',
  })

export type ColumnMapping = z.infer<typeof columnMapping>
export type AmountMapping = ColumnMapping['amount']

/** A file as rows of cells. */
export type Rows = readonly (readonly string[])[]

/** A row as it is shown and kept as headings. */
export const shownCells = (cells: readonly string[]): string[] => cells.map(cell => cell.slice(0, MOST_SHOWN))

/** A mapping that knows of nothing but the dates. */
export function emptyMapping(bank: string | null, dates: DateForm): Omit<ColumnMapping, 'amount'> {
  return {
    headerRow: null,
    header: [],
    date: { ...dates, column: 0 },
    timeColumn: null,
    balanceColumn: null,
    detailColumns: [],
    channelColumn: null,
    fromBankColumn: null,
    fromAccountColumn: null,
    accountColumn: null,
    bank,
    skipRows: [],
  }
}
