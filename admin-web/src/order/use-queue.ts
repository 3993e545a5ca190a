import type { Reply } from '@shop/shared/endpoint.ts'
import { QUEUE_GROUPS } from '@shop/shared/order/queue.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import { keepPreviousData, queryOptions, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useClient } from '../account/session.tsx'
import { choicesField, textField, useUrlFilters } from '../ui/url-filters.ts'

const POLL_MS = 3000

const fields = { group: choicesField(QUEUE_GROUPS), text: textField }

export const useQueueFilters = () => useUrlFilters(fields)
export type QueueFilters = ReturnType<typeof useQueueFilters>['filters']

type Answer = Reply<typeof listQueue>
type List = NonNullable<Answer['list']>

type Queue = List & Pick<Answer, 'version' | 'nowDate'>

/** A row that is as it was stays the same object wherever it stands now, so that it is not drawn again. */
function keepRows(had: Queue | undefined, got: Queue): Queue {
  if (!had || had.rows === got.rows) return got
  const old = new Map(had.rows.map(row => [row.orderNo, row]))
  return { ...got, rows: got.rows.map(row => replaceEqualDeep(old.get(row.orderNo), row)) }
}

/** The question for the queue; the server sends the rows only when they have changed since the last answer. */
function useQuestion() {
  const client = useClient()
  const queries = useQueryClient()
  return ({ group: [group], text }: QueueFilters) => {
    const { queryKey } = client.query(listQueue, { query: { group, text: text || undefined } })
    return queryOptions({
      queryKey,
      queryFn: async ({ signal }): Promise<Queue> => {
        const had = queries.getQueryData<Queue>(queryKey)
        const query = { ...queryKey[2], since: had?.version }
        const { list, version, nowDate } = await client.call(listQueue, { query }, signal)
        const { rows, counts } = (list ?? had)!
        return { rows, counts, version, nowDate }
      },
    })
  }
}

/** Asks for the queue by other filters before the page is drawn with them. */
export function useAskQueue(): (filters: QueueFilters) => void {
  const question = useQuestion()
  const queries = useQueryClient()
  return filters => void queries.prefetchQuery(question(filters))
}

/** Reads the queue again and again. */
export function useQueue(filters: QueueFilters) {
  // What is found by another filter is often on the screen already.
  const shown = useRef<Queue>(undefined)
  const query = useQuery({
    ...useQuestion()(filters),
    structuralSharing: (had, got) => keepRows((had as Queue | undefined) ?? shown.current, got as Queue),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
  shown.current = query.data
  return query
}
