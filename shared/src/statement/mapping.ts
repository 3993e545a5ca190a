import * as z from 'zod'
import { line } from '../line.ts'
import { DATE_ORDERS, type DateForm, ERAS } from './cell-date.ts'

/** The number of rows in which headings are looked for, and which people are shown. */
export const PREVIEW_ROWS = 60
export const MOST_COLUMNS = 100
/** Only this many characters of a cell are shown, stored and compared as a heading. */
const MOST_SHOWN = 200

/** Counted from 0. */
const column = z
  .int()
  .min(0)
  .max(MOST_COLUMNS - 1)
const words = z.array(line(100).min(1)).max(20)

const amountSchema = z.discriminatedUnion('style', [
  /** A withdrawal is money out, whether it has a minus or not. */
  z.object({ style: z.literal('two-columns'), deposit: column, withdrawal: column }),
  /** One column, minus is money out. */
  z.object({ style: z.literal('signed'), column }),
  /** One column, with words in another one that give the direction. */
  z.object({ style: z.literal('direction'), column, directionColumn: column, inWords: words, outWords: words }),
  /** One column; the balance gives the direction. If any cell has a minus, the column counts as signed. */
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
    /**
     * The cells of that row, by which it is found again when a file has more or fewer rows above it; empty without
     * headings.
     */
    header: z.array(z.string().max(MOST_SHOWN)).max(MOST_COLUMNS),
    /** Thai and English names of months, 12 and 24 hours, 2 and 4 digits are understood; a time may follow the date. */
    date: z.object({ column, order: z.enum(DATE_ORDERS), era: z.enum(ERAS) }),
    /** null when the time follows the date, or there is none. */
    timeColumn: column.nullable(),
    amount: amountSchema,
    balanceColumn: column.nullable(),
    detailColumns: z.array(column).max(10),
    channelColumn: column.nullable(),
    /** Columns with the sender's bank and account; without them they are looked for in the details. */
    fromBankColumn: column.nullable(),
    fromAccountColumn: column.nullable(),
    /** The column of the file's own account, if one file may contain rows of several accounts. */
    accountColumn: column.nullable(),
    /** 3-digit code of the file's own bank; a sender without a bank is its customer. */
    bank: z
      .string()
      .regex(/^\d{3}$/)
      .nullable(),
    /**
     * Rows that are not movements: their first filled cell begins with one of these words, or one cell equals it. A row
     * with a date and an amount is never skipped. Opening balances and totals are recognised without this.
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

/** Returns a row as it is shown, and stored as headings. */
export const shownCells = (cells: readonly string[]): string[] => cells.map(cell => cell.slice(0, MOST_SHOWN))

/** Returns a mapping that contains only the form of dates. */
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
