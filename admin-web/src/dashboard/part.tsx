import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useClient } from '../account/session.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'

/** What one of the sales calls answers; the last answer stays while the next is on its way. */
export function useNumbers<E extends EndpointShape>(endpoint: E, body: object) {
  const client = useClient()
  return useQuery({ ...client.query(endpoint, { body } as never), placeholderData: keepPreviousData })
}

/** A card of the dashboard: waiting, failed, without anything sold, or what its call answered. It keeps its place. */
export function Part<T>(props: {
  title: string
  kind: string
  query: UseQueryResult<T>
  isEmpty: (data: T) => boolean
  extra?: ReactNode
  children: (data: T) => ReactNode
}) {
  const { title, kind, query, isEmpty, extra, children } = props
  const { data, isError, error, isPlaceholderData, refetch } = query
  return (
    <section className={`card part is-${kind}`} aria-label={title} aria-busy={query.isFetching}>
      <header>
        <h2 className="grow">{title}</h2>
        {extra}
      </header>
      <div className={`part-body ${isPlaceholderData ? 'is-old' : ''}`}>
        {isError ? (
          <LoadError error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton active title={false} paragraph={{ rows: 5 }} />
        ) : isEmpty(data) ? (
          <NothingFound text="ไม่พบข้อมูล" />
        ) : (
          children(data)
        )}
      </div>
    </section>
  )
}
