export { MOST_COLUMNS as MAX_COLUMNS } from '@shop/shared/statement/mapping.ts'

export const MAX_BYTES = 20 * 1024 * 1024
export const MAX_ROWS = 200_000
/** The unpacked size that the parts of a workbook may have together. */
export const MAX_UNPACKED_BYTES = 80 * 1024 * 1024
/** A small file can contain any number of cells, and a cell takes far more memory than its text. */
export const MAX_CELLS = 3_000_000
export const MAX_STRINGS = 1_000_000
export const MAX_TAGS = 10_000_000
/** Elements within each other; each more makes every next one slower, and workbooks have a dozen. */
export const MAX_DEPTH = 100
/** The same of a page, where rows and cells of a careless writer have no end. */
export const MAX_PAGE_DEPTH = 20_000
/** The length of all cells together, because many of them may point to the same text. */
export const MAX_CHARACTERS = 60_000_000
/** The number of styles that spreadsheet programs themselves support. */
export const MAX_STYLES = 65_536
export const MAX_SHEETS = 255
export const MAX_SHEET_ROWS = 1_048_576
