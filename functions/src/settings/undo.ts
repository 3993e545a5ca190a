import { AUDIT_ACTION, type AuditAction } from '@shop/shared/audit/action.ts'
import { type LaterWrite, undoChange } from '@shop/shared/audit/endpoints.ts'
import { nameOfSubject, type UndoableNoun, undoOf } from '@shop/shared/audit/subject.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import { authorise } from '../account/caller.ts'
import { findChange, findLaterWrites } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import { type CatalogueChange, changeCatalogue } from './catalogue-change.ts'

/** Things of one kind that a change wrote, each before and after the change. */
type Undone = readonly { id: string; before: object; after: object | null }[]
/** Writes the earlier state, by the same rules as a save. */
export type Restore = (change: CatalogueChange, things: Undone) => Promise<unknown>
export type Restores = Record<UndoableNoun, Restore>

/**
 * Returns the state to restore. A thing that was created can't be deleted, because orders may name it, so it is
 * switched off.
 */
function stateBefore(entry: { before: object | null; after: object | null }): object {
  if (entry.before) return entry.before
  if (entry.after && 'isActive' in entry.after) return { ...entry.after, isActive: false }
  throw new AppError('UNDO_NOT_POSSIBLE', { values: { why: 'ไม่มีค่าเดิมให้กลับไป' } })
}

const MOST_NAMED = 3

function wordsOf({ subject, subjectName, action, actorName, at }: LaterWrite): string {
  const what = [nameOfSubject(subject), subjectName].filter(Boolean).join(' ')
  return `${what} (${AUDIT_ACTION[action as AuditAction] ?? action} โดย ${actorName ?? 'ระบบ'} ${formatDateTime(new Date(at))})`
}

/** @throws UNDO_CHANGED_SINCE naming the thing, the person and the time */
async function mustBeLast({ tx }: CatalogueChange, ids: string[]): Promise<void> {
  const { since, total } = await findLaterWrites(tx, ids)
  if (total === 0) return
  const named = since.slice(0, MOST_NAMED).map(wordsOf).join(' · ')
  const more = total > MOST_NAMED ? ` และอีก ${total - MOST_NAMED} รายการ` : ''
  throw new AppError('UNDO_CHANGED_SINCE', { values: { what: named + more }, details: { since, total } })
}

/** @throws UNDO_NOT_POSSIBLE, FORBIDDEN */
function mustBeUndoable(context: Context, subject: string) {
  const undoable = undoOf(subject)
  if ('whyNot' in undoable) throw new AppError('UNDO_NOT_POSSIBLE', { values: { why: undoable.whyNot } })
  authorise(context, undoable.allow)
  return undoable
}

async function undo(context: Context, restores: Restores, which: ParsedInput<typeof undoChange>['body']) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const entries = await findChange(change.tx, which)
    if (entries.length === 0) throw new AppError('NOT_FOUND')
    const things = entries.map(entry => ({ ...entry, ...mustBeUndoable(context, entry.subject) }))
    await mustBeLast(
      change,
      entries.map(({ id }) => id),
    )
    for (const noun of new Set(things.map(thing => thing.noun))) {
      const ofNoun = things.filter(thing => thing.noun === noun)
      await restores[noun](
        change,
        ofNoun.map(({ id, before, after }) => ({ id, before: stateBefore({ before, after }), after })),
      )
    }
    return { undone: entries.length }
  })
}

export const undoRoutes = (restores: Restores): Route[] => [
  route(undoChange, ({ body }, context) => undo(context, restores, body)),
]
