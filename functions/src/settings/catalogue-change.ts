import { isDeepStrictEqual } from 'node:util'
import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import { AppError } from '@shop/shared/errors.ts'
import { uuidv7 } from 'uuidv7'
import { type AuditRecord, findLastWriter, insertAuditEntries } from '../audit/store.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { orNull, sql, type Under, under } from '../database/sql.ts'
import type { Shop } from '../shop/shop.ts'
import { catalogueVersion, type option } from './tables.ts'

type Write = Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'>

/** A change of what the shop sells or says, while it is carried out. */
export interface CatalogueChange {
  tx: Sql
  person: Person
  /** Records writes in the audit log; a write that changed nothing gets no entry. */
  audit(writes: Write | Write[]): Promise<void>
  /** Judges the change as a whole, when all of it is written. */
  atEnd(judge: () => Promise<void>): void
}

/** Lets one after the other change the catalogue, until each one's transaction ends. */
export const lockCatalogue = (tx: Sql): Promise<unknown> =>
  tx.query({ name: 'catalogue_lock', text: sql`SELECT FROM ${under(catalogueVersion)} FOR UPDATE` })

/**
 * Staff write the catalogue, options, terms, discounts and tiers through this, one change after another. The database
 * raises the catalogue's version with every write, which tells readers that their copy is old.
 */
export async function changeCatalogue<T>(
  { db, catalogue }: Pick<Shop, 'db'> & { catalogue: { expire(): void } },
  person: Person,
  work: (change: CatalogueChange) => Promise<T>,
): Promise<T> {
  const changed = db.transaction(async tx => {
    await lockCatalogue(tx)
    const who = { actorUid: person.uid, actorRole: person.role, at: person.now, changeId: person.changeId ?? uuidv7() }
    const audit = async (writes: Write | Write[]) => {
      const made = [writes].flat().filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
      const records = made.map(write => ({ ...write, ...who }))
      if (records.length > 0) await insertAuditEntries(tx, records)
    }
    const judges: (() => Promise<void>)[] = []
    const done = await work({ tx, person, audit, atEnd: judge => void judges.push(judge) })
    for (const judge of judges) await judge()
    return done
  })
  // This also runs after a failure, because a commit may have succeeded although its answer was lost.
  return changed.finally(() => catalogue.expire())
}

/** Who changed a row last, and when, for its readers. */
export interface LastChange {
  version: number
  updatedAt: string | null
  updatedByName: string | null
}
export type StoredLastChange = Omit<LastChange, 'updatedAt'> & { updatedAt: Date | null }

type Changed = Pick<Under<typeof option>, 'updatedAt' | 'updatedBy'> & Pick<Under<typeof catalogueVersion>, 'version'>

/** Returns the fields of `lastChange` of a table, and the join that finds the person as "e". */
export const lastChangeOf = ({ version, updatedAt, updatedBy }: Changed) => ({
  fields: { version, updatedAt, updatedByName: orNull(personName('e')) },
  join: `LEFT JOIN account e ON e.uid = ${updatedBy}`,
})

export const viewLastChange = <Row extends { updatedAt: Date | null }>(row: Row) => ({
  ...row,
  updatedAt: row.updatedAt?.toISOString() ?? null,
})

/** Returns the values that a save writes to `lastChange`. */
export const stampOf = ({ person }: CatalogueChange, version: number) => ({
  version,
  updatedAt: person.now,
  updatedBy: person.uid,
})

/** Makes sure that nothing is overwritten unseen. @throws CONFLICT with the current state */
export function mustBeCurrent(version: number | undefined, current: { version: number }): void {
  if (version !== current.version) throw new AppError('CONFLICT', { details: { current } })
}

/**
 * Makes sure that what is saved as a whole has not changed since it was read. @throws CONFLICT with the current state and
 * who saved it
 */
export async function mustBeSeen<T>(
  { tx }: CatalogueChange,
  subject: AuditSubject,
  seen: T,
  current: T,
): Promise<void> {
  if (isDeepStrictEqual(seen, current)) return
  throw new AppError('CONFLICT', { details: { current, by: await findLastWriter(tx, subject) } })
}
