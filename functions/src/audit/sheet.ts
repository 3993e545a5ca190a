import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { AUDIT_ACTION, type AuditAction } from '@shop/shared/audit/action.ts'
import { listChanges } from '@shop/shared/audit/changes.ts'
import { sentenceOf, textOf } from '@shop/shared/audit/sentence.ts'
import { nameOfSubject } from '@shop/shared/audit/subject.ts'
import { type Names, toldSubject } from '@shop/shared/audit/told.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { inJson } from '../http/in-json.ts'
import type { AuditRow } from './store.ts'

interface Line {
  entry: AuditRow
  names: Names
}

/** The download's columns by heading. */
const COLUMNS: Record<string, (line: Line) => string> = {
  เวลา: ({ entry }) => formatDateTimeSeconds(entry.at),
  ผู้แก้ไข: ({ entry }) => entry.actorName ?? entry.actorUid,
  บทบาท: ({ entry }) => ROLE_LABELS[entry.actorRole as Role] ?? entry.actorRole,
  สิ่งที่ทำ: ({ entry, names }) => textOf(sentenceOf(inJson(entry), names)),
  การกระทำ: ({ entry }) => AUDIT_ACTION[entry.action as AuditAction] ?? entry.action,
  สิ่งที่แก้: ({ entry }) => `${nameOfSubject(entry.subject)} ${toldSubject(entry)}`.trim(),
  'เดิม → ใหม่': ({ entry, names }) =>
    listChanges(entry.before, entry.after, names)
      .map(({ label, before, after }) => `${label}: ${before ?? '–'} → ${after ?? '–'}`)
      .join(' | '),
}

/** The columns and the file of the log's download. */
export const AUDIT_SHEET = {
  header: Object.keys(COLUMNS),
  cellsOf: (line: Line): string[] => Object.values(COLUMNS).map(cellOf => cellOf(line)),
}
