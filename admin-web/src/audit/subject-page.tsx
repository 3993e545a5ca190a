import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** The pages of things, by the kind that stands before their id. */
const PAGES: Record<string, (id: string, name: string) => string> = {
  account: id => `/user/${encodeURIComponent(id)}`,
  order: id => `/management/details/${encodeURIComponent(id)}`,
  topUp: (_, name) => `/management/wallet?status=all&transactionNo=${encodeURIComponent(name)}`,
  owedRefund: () => '/management/refund',
  statementLine: id => `/management/bankstatement?line=${encodeURIComponent(id)}`,
  statementFile: () => '/management/bankstatement',
  secondWord: () => '/management/secondword',
  gameOrder: () => '/management/game',
  gameTag: () => '/management/game',
  package: () => '/management/game',
  price: () => '/management/game',
  game: id => `/management/package/${encodeURIComponent(id)}`,
  discount: () => '/management/benefitgametopup',
  tier: () => '/management/agent?tab=tiers',
  option: () => '/management/appconfig',
  terms: () => '/management/appconfig',
  paymentMethod: () => '/management/appconfig',
  banner: () => '/management/appconfig',
  receivingAccount: () => '/management/appconfig',
  feedKey: () => '/management/appconfig',
  supplier: () => '/management/appconfig',
}

/** The address where a thing "noun:id" is found; undefined if it has no page. */
export function pageOfSubject(subject: string, name: string): string | undefined {
  const colon = subject.indexOf(':')
  return PAGES[subject.slice(0, colon)]?.(subject.slice(colon + 1), name)
}

/** A thing's name, as a link if it has a page. */
export function SubjectName({ to, children }: { to: string | undefined; children: ReactNode }) {
  return to ? (
    <Link className="breakable" to={to}>
      {children}
    </Link>
  ) : (
    <b className="strong breakable">{children}</b>
  )
}
