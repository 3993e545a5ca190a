import { can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, type StaffPage } from '@shop/shared/staff-pages.ts'
import type { LineTarget } from '@shop/shared/statement/statement.ts'
import { Link, type LinkProps } from 'react-router-dom'
import { useMe } from './session.tsx'

/** Links to a page of the back office; shows only the text to people who may not open it. */
export function StaffLink({ page, ...link }: LinkProps & { page: StaffPage }) {
  if (can(useMe().role, STAFF_PAGE[page].allow)) return <Link {...link} />
  return <span className={link.className}>{link.children}</span>
}

/** The address of an agent's page. */
export const placeOfAgent = (uid: string): string => `${STAFF_PAGE.agent.path}/${encodeURIComponent(uid)}`

/** Links to one line of a bank statement. */
export function StatementLineLink({ id, ...link }: Omit<LinkProps, 'to'> & { id: string }) {
  return <StaffLink page="statement" to={`${STAFF_PAGE.statement.path}?line=${id}`} {...link} />
}

/** Links to an order or top-up by its number. */
export function TargetLink({ target: { kind, id, no }, className }: { target: LineTarget; className?: string }) {
  const page = kind === 'order' ? 'orderDetails' : 'wallet'
  const to = kind === 'order' ? `/management/details/${no}` : `${STAFF_PAGE.wallet.path}?status=all&tx=${id}`
  return (
    <StaffLink page={page} to={to} className={className}>
      {no}
    </StaffLink>
  )
}
