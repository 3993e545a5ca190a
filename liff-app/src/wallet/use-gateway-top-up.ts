import { type GatewayTopUp, getGatewayTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** While the agent looks at a QR, or comes back from where they pay. */
const CHARGED_MS = 1000
const WAITING_MS = 3000
/** For one that has ended, whose money may still come. */
const SLOW_MS = 15_000

function pollMsOf(topUp: GatewayTopUp | undefined): number | false {
  if (topUp?.status === 'approve') return false
  if (topUp && topUp.status !== 'waiting_payment') return SLOW_MS
  return topUp?.charge?.state === 'waiting' ? CHARGED_MS : WAITING_MS
}

/** A top-up that is paid through the gateway, read again and again until its money is on the wallet. */
export const useGatewayTopUp = (id: string) =>
  useQuery({
    ...api.query(getGatewayTopUp, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => pollMsOf(state.data),
  })
