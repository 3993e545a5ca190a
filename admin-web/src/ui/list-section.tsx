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
 * The card of a list: its rows, or why there are none. While another filter is answered, the rows of the one before stay
 * faded, can't be pressed, and are announced as busy.
 */
export function ListSection(props: {
  label: string
  query: ListQuery
  /** Said instead of the error's own words. */
  failure?: string
  className?: string
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  /** Stands above the rows whatever came of them. */
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
