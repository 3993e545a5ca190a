import { listWebhookMessages, listWebhooks } from '@shop/shared/webhook/endpoints.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

const FOLLOW_MS = 10_000

/** The endpoints, followed while something waits to be sent. */
export const useWebhooks = () =>
  useQuery({
    ...api.query(listWebhooks),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.webhooks.some(({ isOn, waiting }) => isOn && waiting > 0) ? FOLLOW_MS : false,
  })

const SHOWN: unknown[] = [listWebhooks.path, listWebhookMessages.path]

/** Reads the endpoints and their logs again wherever they are shown. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ predicate: ({ queryKey }) => SHOWN.includes(queryKey[0]) })
}
