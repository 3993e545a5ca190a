import { isDeepStrictEqual } from 'node:util'
import type { AuditSubject } from '@shop/shared/audit/subject.ts'
import { AppError } from '@shop/shared/errors.ts'
import { uuidv7 } from 'uuidv7'
import { type AuditRecord, findLastWriter, insertAuditEntries } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import type { Person } from '../http/route.ts'
import type { Shop } from '../shop.ts'

type Write = Pick<AuditRecord, 'action' | 'subject' | 'before' | 'after'>

/** A change of what the shop sells or says, while it is made. */
export interface CatalogueChange {
  tx: Sql
  person: Person
  /** Records what was written; a write that changed nothing leaves no entry. */
  audit(writes: Write | Write[]): Promise<void>
}

/**
 * The way staff write the catalogue, options, terms, discounts and tiers: one after another. The database itself raises the
 * catalogue's version with every write, by which readers know that what they keep is old.
 */
export async function changeCatalogue<T>(
  { db, catalogue }: Pick<Shop, 'db' | 'catalogue'>,
  person: Person,
  work: (change: CatalogueChange) => Promise<T>,
): Promise<T> {
  const changed = db.transaction(async tx => {
    await tx.query({ name: 'catalogue_lock', text: 'SELECT FROM catalogue_version FOR UPDATE' })
    const who = { actorUid: person.uid, actorRole: person.role, at: person.now, changeId: person.changeId ?? uuidv7() }
    const audit = async (writes: Write | Write[]) => {
      const made = [writes].flat().filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
      const records = made.map(write => ({ ...write, ...who }))
      if (records.length > 0) await insertAuditEntries(tx, records)
    }
    return work({ tx, person, audit })
  })
  // Also when it failed: a commit may have been made whose answer was lost.
  return changed.finally(() => catalogue.expire())
}

/** Who changed a row last, as its readers see it. */
export interface LastChange {
  version: number
  updatedAt: string | null
  updatedByName: string | null
}
export type StoredLastChange = Omit<LastChange, 'updatedAt'> & { updatedAt: Date | null }

/** The columns of `lastChange`, and the join that names the person as "e". */
export const lastChangeOf = (alias: string) => ({
  columns: `${alias}.version, ${alias}.updated_at AS "updatedAt", ${personName('e')} AS "updatedByName"`,
  join: `LEFT JOIN account e ON e.uid = ${alias}.updated_by`,
})

export const viewLastChange = <Row extends { updatedAt: Date | null }>(row: Row) => ({
  ...row,
  updatedAt: row.updatedAt?.toISOString() ?? null,
})

/** What a save writes beside its fields. */
export const stampOf = ({ person }: CatalogueChange, version: number) => ({
  version,
  updatedAt: person.now,
  updatedBy: person.uid,
})

/** Nothing is overwritten unseen. @throws CONFLICT with what is there now */
export function mustBeCurrent(version: number | undefined, current: { version: number }): void {
  if (version !== current.version) throw new AppError('CONFLICT', { details: { current } })
}

/** The same for a list that is saved as a whole. @throws CONFLICT with the list that is there now, and who saved it */
export async function mustBeSeen<T>(
  { tx }: CatalogueChange,
  subject: AuditSubject,
  seen: readonly T[],
  current: readonly T[],
): Promise<void> {
  if (isDeepStrictEqual(seen, current)) return
  throw new AppError('CONFLICT', { details: { current, by: await findLastWriter(tx, subject) } })
}
