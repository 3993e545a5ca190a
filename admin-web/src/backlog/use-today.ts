import { getToday } from '@shop/shared/backlog/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../account/session.tsx'
import { POLL_MS } from './use-backlog.ts'

/** Returns what today brought, asked as often as what waits, but only while somebody looks. */
export function useToday() {
  return useQuery({
    ...useClient().query(getToday),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
  })
}
export type TodayQuery = ReturnType<typeof useToday>
