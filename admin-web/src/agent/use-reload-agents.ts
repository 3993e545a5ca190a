import { listAgents, listTiers } from '@shop/shared/agent/endpoints.ts'
import { getAgentApi, listAgentApis } from '@shop/shared/reseller/key-endpoints.ts'
import { getAgent } from '@shop/shared/wallet/agent-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'

/** Reads again what a change of an agent shows in: the lists, and the page of each. */
export function useReloadAgents(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [listAgents, listTiers, getAgent, getAgentApi, listAgentApis].map(({ path }) =>
        queries.invalidateQueries({ queryKey: [path] }),
      ),
    )
}
