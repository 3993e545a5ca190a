import type { CodePreview } from '@shop/shared/voucher/endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { Alert } from 'antd'
import { count } from './counts.tsx'
import './voucher.css'

/** What is in a file of codes: of the codes themselves only their ends. */
export function CodePreviewFacts({ preview }: { preview: CodePreview }) {
  const { good, first, last, repeated, known, bad } = preview
  return (
    <div className="code-preview">
      <p role="status">
        พร้อมนำเข้า <b className="strong number">{count(good)}</b> รหัส
        {repeated.count > 0 && ` · ซ้ำในไฟล์ ${count(repeated.count)}`}
        {known.count > 0 && ` · ร้านมีหรือเคยมีแล้ว ${count(known.count)}`}
        {bad.count > 0 && ` · ใช้ไม่ได้ ${count(bad.count)}`}
      </p>
      {good > 0 && (
        <ul className="code-samples" aria-label="ตัวอย่างรหัสที่จะนำเข้า">
          {first.map(each => (
            <Sample key={each.line} {...each} />
          ))}
          {good > first.length + last.length && <li className="muted">…</li>}
          {last.map(each => (
            <Sample key={each.line} {...each} />
          ))}
        </ul>
      )}
      <Lines title="ใช้ไม่ได้" lines={bad} textOf={({ line, reason }) => `บรรทัด ${line}: ${reason}`} />
      <Lines
        title="ซ้ำในไฟล์"
        lines={repeated}
        textOf={({ line, firstLine }) => `บรรทัด ${line} ซ้ำกับบรรทัด ${firstLine}`}
      />
      <Lines title="ร้านมีหรือเคยมีแล้ว" lines={known} textOf={({ line }) => `บรรทัด ${line}`} />
    </div>
  )
}

function Sample({ line, lastFour, hasPin, hasSerial, expiresOn }: CodePreview['first'][number]) {
  const more = [hasPin && 'มี PIN', hasSerial && 'มีซีเรียล', expiresOn && `หมดอายุ ${formatDay(expiresOn)}`]
  return (
    <li>
      <span className="muted">บรรทัด {line}</span> <span className="number">••••{lastFour}</span>{' '}
      <span className="note muted">{more.filter(Boolean).join(' · ')}</span>
    </li>
  )
}

/** Lines that are left out; of many the first are listed. */
function Lines<Row extends { line: number }>(props: {
  title: string
  lines: { count: number; rows: readonly Row[] }
  textOf: (row: Row) => string
}) {
  const { title, lines, textOf } = props
  if (lines.count === 0) return null
  const more = lines.count - lines.rows.length
  return (
    <Alert
      type="warning"
      title={`${title} ${count(lines.count)} บรรทัด จะไม่นำเข้า`}
      description={
        <details>
          <summary>ดูบรรทัด</summary>
          <ul className="code-lines">
            {lines.rows.map(row => (
              <li key={row.line}>{textOf(row)}</li>
            ))}
            {more > 0 && <li>และอีก {count(more)} บรรทัด</li>}
          </ul>
        </details>
      }
    />
  )
}
