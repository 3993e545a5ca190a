import type { Reply } from '@shop/shared/endpoint.ts'
import { QUEUE_GROUPS } from '@shop/shared/order/queue.ts'
import { listQueue } from '@shop/shared/order/queue-endpoints.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../account/session.tsx'
import { choicesField, textField, useUrlFilters } from '../ui/url-filters.ts'

const POLL_MS = 3000

const fields = { group: choicesField(QUEUE_GROUPS), text: textField }

export const useQueueFilters = () => useUrlFilters(fields)
export type QueueFilters = ReturnType<typeof useQueueFilters>['filters']

type Answer = Reply<typeof listQueue>
type List = NonNullable<Answer['list']>

/** Reads the queue again and again; the server sends the rows only when they have changed since the last answer. */
export function useQueue({ group: [group], text }: QueueFilters) {
  const client = useClient()
  const queries = useQueryClient()
  const { queryKey } = client.query(listQueue, { query: { group, text: text || undefined } })
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<List & Pick<Answer, 'version' | 'nowDate'>> => {
      const had = queries.getQueryData<List & Pick<Answer, 'version'>>(queryKey)
      const query = { ...queryKey[2], since: had?.version }
      const { list, version, nowDate } = await client.call(listQueue, { query }, signal)
      const { rows, counts } = (list ?? had)!
      return { rows, counts, version, nowDate }
    },
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
}
