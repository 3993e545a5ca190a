export { MOST_COLUMNS as MAX_COLUMNS } from '@shop/shared/statement/mapping.ts'

export const MAX_BYTES = 20 * 1024 * 1024
export const MAX_ROWS = 200_000
/** What the parts of a workbook may come to when unpacked. */
export const MAX_UNPACKED_BYTES = 150 * 1024 * 1024
