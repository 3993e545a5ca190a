import { bigint, timestamp } from 'drizzle-orm/pg-core'

/** An instant. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** An amount in satang. */
export const satang = (name: string) => bigint(name, { mode: 'number' })
