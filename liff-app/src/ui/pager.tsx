import { MOST_COUNTED } from '@shop/shared/list-count.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router-dom'

const LINKS = 5

/** The page numbers to offer: at most five, around the current one. */
function listPageNumbers(current: number, last: number): number[] {
  const first = Math.max(1, Math.min(current - Math.floor(LINKS / 2), last - LINKS + 1))
  return Array.from({ length: Math.min(LINKS, last) }, (_, index) => first + index)
}

/** How many rows there are. Screen readers read it out when it changes. */
export const RowCount = ({ total }: { total: number }) => (
  <p role="status" className="mt-2 text-ink-2 text-note">
    {total > 0 && `${total > MOST_COUNTED ? `มากกว่า ${MOST_COUNTED.toLocaleString('en-US')}` : total} รายการ`}
  </p>
)

interface PagerProps {
  label: string
  current: number
  total: number
  pageSize: number
  getHref: (page: number) => string
}

/** Links to the pages of a list. */
export function Pager({ label, current, total, pageSize, getHref }: PagerProps) {
  const last = Math.ceil(Math.min(total, MOST_COUNTED) / pageSize)
  if (last <= 1) return null
  const cell = 'inline-flex min-h-11 min-w-11 items-center justify-center rounded-inline px-2 font-semibold text-small'
  return (
    <nav aria-label={label} className="mt-4 flex flex-wrap justify-center gap-1">
      {current > 1 && (
        <Link to={getHref(current - 1)} className={`${cell} text-ink-2 hover:bg-canvas`} aria-label="หน้าก่อน">
          <ChevronLeft size={20} />
        </Link>
      )}
      {listPageNumbers(current, last).map(page => (
        <Link
          key={page}
          to={getHref(page)}
          aria-label={`หน้า ${page}`}
          aria-current={page === current ? 'page' : undefined}
          className={`${cell} hover:bg-canvas aria-[current]:bg-accent-tint aria-[current]:text-accent`}
        >
          {page}
        </Link>
      ))}
      {current < last && (
        <Link to={getHref(current + 1)} className={`${cell} text-ink-2 hover:bg-canvas`} aria-label="หน้าถัดไป">
          <ChevronRight size={20} />
        </Link>
      )}
    </nav>
  )
}
