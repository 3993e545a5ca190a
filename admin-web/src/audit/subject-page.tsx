import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'

/** The pages of things, by the kind that stands before their id. */
const PAGES = {
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
  voucher: () => '/management/codes',
  voucherBatch: () => '/management/codes',
  feedKey: () => '/management/appconfig',
  apiKey: id => `/management/reseller?name=${encodeURIComponent(id)}`,
  supplier: () => '/management/appconfig',
} satisfies Record<string, (id: string, name: string) => string>

type Noun = keyof typeof PAGES

/** The address where a thing of a kind that has a page is found. */
export const pageOf = (noun: Noun, id: string, name: string): string => PAGES[noun](id, name)

/** The address where a thing "noun:id" is found; undefined if it has no page. */
export function pageOfSubject(subject: string, name: string): string | undefined {
  const colon = subject.indexOf(':')
  const noun = subject.slice(0, colon)
  return Object.hasOwn(PAGES, noun) ? pageOf(noun as Noun, subject.slice(colon + 1), name) : undefined
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
