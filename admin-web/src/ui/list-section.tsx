import type { KeyboardEventHandler, ReactNode } from 'react'
import { LoadError } from './load-error.tsx'

interface ListQuery {
  data: unknown
  error: Error | null
  isLoading: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

/**
 * The card around a list, which says when it could not be loaded. While another filter is being answered, the old rows
 * stay faded, can't be pressed and are announced as busy.
 */
export function ListSection(props: {
  label: string
  query: ListQuery
  /** Replaces the error's own words. */
  failure?: string
  className?: string
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  /** Stands above the rows, also when they could not be loaded. */
  head?: ReactNode
  children: ReactNode
}) {
  const { label, query, failure, className = '', onKeyDown, head, children } = props
  const isBusy = query.isLoading || query.isPlaceholderData
  return (
    <section className={`card list ${className}`} aria-label={label} aria-busy={isBusy} onKeyDown={onKeyDown}>
      {head}
      {query.error && query.data === undefined ? (
        <LoadError error={query.error} text={failure} onRetry={() => query.refetch()} />
      ) : (
        children
      )}
    </section>
  )
}
