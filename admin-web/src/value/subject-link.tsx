import { nameOfSubject } from '@shop/shared/audit/subject.ts'
import { Link } from 'react-router-dom'
import { toldSubject } from '../audit/told.ts'

/** The pages of what a move can be about, by the kind that stands before its id. */
const PAGES: Record<string, (id: string, name: string) => string> = {
  account: id => `/user/${encodeURIComponent(id)}`,
  order: id => `/management/details/${encodeURIComponent(id)}`,
  topUp: (_, name) => `/management/wallet?text=${encodeURIComponent(name)}`,
  statementLine: id => `/management/bankstatement?line=${encodeURIComponent(id)}`,
  owedRefund: () => '/management/refund',
  option: () => '/management/appconfig',
  receivingAccount: () => '/management/appconfig',
  feedKey: () => '/management/appconfig',
  tier: () => '/management/agent',
  discount: () => '/management/benefitgametopup',
}

/** What a move is about, as a link if it has a page. */
export function SubjectLink({ subject, subjectName }: { subject: string; subjectName: string | null }) {
  const colon = subject.indexOf(':')
  const name = toldSubject({ subject, subjectName })
  const path = PAGES[subject.slice(0, colon)]?.(subject.slice(colon + 1), name)
  return (
    <>
      <div className="note muted">{nameOfSubject(subject)}</div>
      {path ? (
        <Link className="breakable" to={path}>
          {name || 'เปิดดู'}
        </Link>
      ) : (
        <span className="breakable">{name}</span>
      )}
    </>
  )
}
