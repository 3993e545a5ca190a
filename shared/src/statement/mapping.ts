import * as z from 'zod'

/** Which columns of a bank's file say what. */
export const columnMapping = z.record(z.string(), z.unknown())
export type ColumnMapping = z.output<typeof columnMapping>
