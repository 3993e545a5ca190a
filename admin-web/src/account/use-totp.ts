import { getTotp } from '@shop/shared/account/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient } from './session.tsx'

/** Returns how far the signed-in person's session is with the authenticator app; only for people of the back office. */
export function useTotp() {
  return useQuery(useClient().query(getTotp))
}
