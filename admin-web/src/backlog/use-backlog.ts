import { BACKLOG, BACKLOG_KINDS, type BacklogKind } from '@shop/shared/backlog/backlog.ts'
import { type Backlog, getBacklog, type Waiting } from '@shop/shared/backlog/endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE, type StaffPage } from '@shop/shared/staff-pages.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../account/session.tsx'
import { placeOfBacklog } from './place-of-backlog.ts'

export const POLL_MS = 10_000

/** Returns what waits for the viewer, kept current even while another tab is in front, because it is needed then. */
export function useBacklog() {
  const client = useClient()
  const me = useMe()
  return useQuery({
    ...client.query(getBacklog),
    enabled: can(me.role, getBacklog.allow),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })
}

/** Returns the kinds of waiting work, most urgent first. */
const waitingKinds = (backlog: Backlog | undefined): [BacklogKind, Waiting][] =>
  BACKLOG_KINDS.flatMap(kind => {
    const waiting = backlog?.waiting[kind]
    return waiting && waiting.count > 0 ? [[kind, waiting] as [BacklogKind, Waiting]] : []
  })

/** Returns how much work waits on a page of the menu, and the address of the most urgent. */
export function backlogOfPage(
  backlog: Backlog | undefined,
  page: StaffPage,
): { to: string; count: number; isPressing: boolean } {
  const kinds = waitingKinds(backlog).filter(([kind]) => BACKLOG[kind].page === page)
  return {
    to: kinds[0] ? placeOfBacklog(...kinds[0]) : STAFF_PAGE[page].path,
    count: kinds.reduce((sum, [, { count }]) => sum + count, 0),
    isPressing: kinds.some(([kind]) => BACKLOG[kind].isPressing),
  }
}

/** Returns for how many things a customer waits. */
export const pressingCount = (backlog: Backlog | undefined): number =>
  waitingKinds(backlog).reduce((sum, [kind, { count }]) => sum + (BACKLOG[kind].isPressing ? count : 0), 0)
