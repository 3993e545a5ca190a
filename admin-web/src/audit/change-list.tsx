import type { Change } from '@shop/shared/audit/changes.ts'

/** Lists the changed fields of an entry, each with its old and its new value; fields beyond `most` are counted. */
export function ChangeList({ changes, most = changes.length }: { changes: readonly Change[]; most?: number }) {
  const hidden = changes.length - most
  return (
    <ul className="changes">
      {changes.slice(0, most).map(({ field, label, before, after }) => (
        <li key={field} className="breakable">
          <span className="muted">{label}:</span>{' '}
          {before === null ? <span className="muted">–</span> : <del>{before}</del>} → <ins>{after ?? '–'}</ins>
        </li>
      ))}
      {hidden > 0 && <li className="muted">และอีก {hidden.toLocaleString('en-US')} รายการ</li>}
    </ul>
  )
}
