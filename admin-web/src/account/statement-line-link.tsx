import { can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useMe } from './session.tsx'

/** Leads to one line of a bank statement; for who may not see those, the words alone. */
export function StatementLineLink({ id, children }: { id: string; children: ReactNode }) {
  const { path, allow } = STAFF_PAGE.statement
  return can(useMe().role, allow) ? <Link to={`${path}?line=${id}`}>{children}</Link> : children
}
