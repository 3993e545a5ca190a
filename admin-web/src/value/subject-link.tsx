import { nameOfSubject } from '@shop/shared/audit/subject.ts'
import { toldSubject } from '@shop/shared/audit/told.ts'
import { pageOfSubject, SubjectName } from '../audit/subject-page.tsx'

/** What a move is about, as a link if it has a page. */
export function SubjectLink({ subject, subjectName }: { subject: string; subjectName: string | null }) {
  const name = toldSubject({ subject, subjectName })
  const to = pageOfSubject(subject, name)
  return (
    <>
      <div className="note muted">{nameOfSubject(subject)}</div>
      <SubjectName to={to}>{name || (to && 'เปิดดู')}</SubjectName>
    </>
  )
}
