import type { AuditEntry } from '@shop/shared/audit/endpoints.ts'

/** Of what an earlier state can be written again. */
const UNDOABLE = ['game', 'package', 'price', 'banner', 'receivingAccount', 'option']

/** "game:order": in which order things stand; none of them. */
export const isOrderOfThings = (subject: string): boolean => subject.includes(':order')

/** Whether an entry is of the catalogue; whether it is still the last one of its thing, the server knows. */
export function canUndo({ subject, action }: Pick<AuditEntry, 'subject' | 'action'>): boolean {
  // Discounts stand under their package.
  return UNDOABLE.includes(subject.split(':')[0]!) && !isOrderOfThings(subject) && !action.startsWith('discount.')
}
