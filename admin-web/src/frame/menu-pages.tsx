import type { Caller } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, type StaffPage, staffMenuOf } from '@shop/shared/staff-pages.ts'
import { ChevronDown } from 'lucide-react'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { backlogOfPage, useBacklog } from '../backlog/use-backlog.ts'
import { iconOf, menuPageOf } from './pages.ts'

interface LinkProps extends ReturnType<typeof backlogOfPage> {
  page: StaffPage
  isCurrent: boolean
  onLeave: () => void
}

/** Drawn again only when its page has other work, not with every change of the address. */
const PageLink = memo(function PageLink({ page, isCurrent, to, count, isPressing, onLeave }: LinkProps) {
  const Icon = iconOf(page)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={row}>
      <Link to={to} className="menu-link" aria-current={isCurrent ? 'page' : undefined} onClick={onLeave}>
        {Icon && <Icon size={18} aria-hidden />}
        <span className="grow">{STAFF_PAGE[page].title}</span>
        {count > 0 && (
          <span className={isPressing ? 'badge is-pressing' : 'badge'}>
            {count > 99 ? '99+' : count}
            <span className="sr-only"> รายการรอทำ</span>
          </span>
        )}
      </Link>
    </li>
  )
})

/** Of a link's height so much must be seen. */
const SEEN = 0.7

/** Counts the links that lie below the lower edge of a box which scrolls. */
function useLinksBelow(box: RefObject<HTMLElement | null>): number {
  const [below, setBelow] = useState(0)
  useEffect(() => {
    const hidden = new Set<Element>()
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, boundingClientRect, rootBounds, intersectionRatio } of entries)
          if (intersectionRatio < SEEN && rootBounds && boundingClientRect.bottom > rootBounds.bottom)
            hidden.add(target)
          else hidden.delete(target)
        setBelow(hidden.size)
      },
      { root: box.current, threshold: SEEN },
    )
    for (const link of box.current!.querySelectorAll('a')) observer.observe(link)
    return () => observer.disconnect()
  }, [box])
  return below
}

/** The pages of the menu. In a low window they scroll, and a button says how many there are beyond the edge; keys reach them anyway. */
export function MenuPages({ role, onLeave }: { role: Caller; onLeave: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  const below = useLinksBelow(box)
  const current = menuPageOf(useLocation().pathname)
  const backlog = useBacklog().data
  return (
    <div className="menu-room">
      <div className="menu-pages" ref={box}>
        {staffMenuOf(role).map(({ group, pages }, index) => (
          <section key={group} aria-label={group}>
            {index > 0 && <h2>{group}</h2>}
            <ul>
              {pages.map(page => (
                <PageLink
                  key={page}
                  page={page}
                  isCurrent={page === current}
                  {...backlogOfPage(backlog, page)}
                  onLeave={onLeave}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {below > 0 && (
        <button
          type="button"
          className="menu-more"
          tabIndex={-1}
          aria-hidden
          onClick={() => box.current?.scrollTo({ top: box.current.scrollHeight })}
        >
          อีก {below} หน้า <ChevronDown size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
