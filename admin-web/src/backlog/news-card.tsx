import type { News } from '@shop/shared/backlog/endpoints.ts'
import { formatClock, formatStep, inBangkok } from '@shop/web/dates.ts'
import { Cog } from 'lucide-react'
import { useState } from 'react'
import { pageOfSubject, SubjectName } from '../audit/subject-page.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { useSteadyRows } from '../ui/use-steady-rows.ts'
import { DayCard } from './day-card.tsx'
import type { TodayQuery } from './use-today.ts'

/** Tells what happened last, newest first; each event leads to what it is about. */
export function NewsCard({ query }: { query: TodayQuery }) {
  return (
    <DayCard title="ความเคลื่อนไหวล่าสุด" query={query} rows={8}>
      {({ news, nowDate }) =>
        news.length > 0 ? (
          <NewsList news={news} now={nowDate} />
        ) : (
          <NothingFound text="ยังไม่มีความเคลื่อนไหว คำสั่งซื้อที่จ่ายแล้วจะขึ้นที่นี่" />
        )
      }
    </DayCard>
  )
}

const nameOf = (piece: News['pieces'][number]) => (typeof piece === 'string' ? piece : piece.name)
const keyOf = ({ at, actorName, pieces }: News) => `${at} ${actorName} ${pieces.map(nameOf).join('')}`

/** The list stands still while somebody points at it, so that a click meets what it was meant for. */
function NewsList({ news, now }: { news: News[]; now: string }) {
  const [isHeld, setIsHeld] = useState(false)
  const { rows } = useSteadyRows(news, { keyOf, scope: '', isHeld })
  return (
    <ul
      className="day-list card-part"
      aria-label="ความเคลื่อนไหวล่าสุด"
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {rows.map(({ row }) => (
        <NewsRow key={keyOf(row)} news={row} now={now} />
      ))}
    </ul>
  )
}

function NewsRow({ news: { at, actorName, isAlone, pieces, note }, now }: { news: News; now: string }) {
  const isToday = inBangkok(at).isSame(inBangkok(now), 'day')
  return (
    <li>
      {isAlone ? (
        <span className="avatar is-small is-shop" aria-hidden="true">
          <Cog size={14} />
        </span>
      ) : (
        <Avatar name={actorName} isSmall />
      )}
      <span className="grow small">
        <span className="day-sentence">
          {pieces.map(piece =>
            typeof piece === 'string' ? (
              piece
            ) : (
              <SubjectName key={piece.subject + piece.name} to={pageOfSubject(piece.subject, piece.name)}>
                {piece.name}
              </SubjectName>
            ),
          )}
        </span>
        <span className="note muted">{[actorName, note].filter(Boolean).join(' · ')}</span>
      </span>
      <time className="note muted number" dateTime={at}>
        {isToday ? formatClock(at) : formatStep(inBangkok(at).format('YYYY-MM-DD'))}
      </time>
    </li>
  )
}
