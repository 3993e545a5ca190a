import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient, useMe } from './session.tsx'

/** Returns the shop's opening hours, outside which nothing is late; empty while they are not known, or for always. */
export function useOpeningHours(): string {
  const client = useClient()
  const { role } = useMe()
  // The frame keeps the same answer current.
  const backlog = useQuery({ ...client.query(getBacklog), enabled: can(role, getBacklog.allow) })
  return backlog.data?.openingHours ?? ''
}
