import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { LoadError } from './load-error.tsx'

/** Draws what a query found; until then its outline, or why it could not be loaded. */
export function Loaded<Data>(props: {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  /** Lines of the outline. */
  rows?: number
  children: (data: Data) => ReactNode
}) {
  const { query, rows = 3, children } = props
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadError error={query.error} onRetry={() => query.refetch()} />
  return <Skeleton active className="card-part" paragraph={{ rows }} />
}
