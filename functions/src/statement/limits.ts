export { MOST_COLUMNS as MAX_COLUMNS } from '@shop/shared/statement/mapping.ts'

export const MAX_BYTES = 20 * 1024 * 1024
export const MAX_ROWS = 200_000
/** What the parts of a workbook may come to when unpacked. */
export const MAX_UNPACKED_BYTES = 80 * 1024 * 1024
/** A small file can come to any number of them; each takes far more memory than it has letters. */
export const MAX_CELLS = 3_000_000
export const MAX_STRINGS = 1_000_000
export const MAX_TAGS = 10_000_000
/** Of the cells together: many may point to the same text. */
export const MAX_CHARACTERS = 60_000_000
/** As many as spreadsheets themselves know. */
export const MAX_STYLES = 65_536
export const MAX_SHEETS = 255
export const MAX_SHEET_ROWS = 1_048_576
