import type { Today } from '@shop/shared/backlog/endpoints.ts'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from '../ui/load-error.tsx'
import type { TodayQuery } from './use-today.ts'

/** A card about today, which keeps its place while it loads and when that failed. */
export function DayCard(props: {
  title: string
  about?: string
  query: TodayQuery
  extra?: ReactNode
  rows: number
  children: (today: Today) => ReactNode
}) {
  const { title, about, query, extra, rows, children } = props
  const { data, error, refetch } = query
  return (
    <section className="card" aria-label={title} aria-busy={query.isPending}>
      <header>
        <h2 className="grow">
          {title} {about && <span className="note muted">{about}</span>}
        </h2>
        {extra}
      </header>
      {data ? (
        children(data)
      ) : error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : (
        <div className="card-part day-shape">
          <Skeleton active title={false} paragraph={{ rows }} />
        </div>
      )}
    </section>
  )
}

/** A number of today with what it means below it. */
export function DayFigure({ title, value, children }: { title: string; value: string; children?: ReactNode }) {
  return (
    <div className="day-figure">
      <h3 className="small muted">{title}</h3>
      <p className="day-value number">{value}</p>
      <div className="note muted">{children}</div>
    </div>
  )
}

/** 420 -> "7 นาที"; 3900 -> "1 ชม. 5 นาที" */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return 'ไม่ถึง 1 นาที'
  if (minutes < 60) return `${minutes} นาที`
  return `${Math.floor(minutes / 60)} ชม.${minutes % 60 ? ` ${minutes % 60} นาที` : ''}`
}
