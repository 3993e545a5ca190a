import { can } from '@shop/shared/permissions.ts'
import type { StaffPage } from '@shop/shared/staff-pages.ts'
import { getWork, type Waiting, type Work } from '@shop/shared/work/endpoints.ts'
import { WORK, WORK_KINDS, type WorkKind } from '@shop/shared/work/work.ts'
import { useQuery } from '@tanstack/react-query'
import { useClient, useMe } from '../account/session.tsx'

const POLL_MS = 10_000

/** What waits for the person at this page, kept current; also while another tab is in front: that is when it is needed. */
export function useWork() {
  const client = useClient()
  const me = useMe()
  return useQuery({
    ...client.query(getWork),
    enabled: can(me.role, getWork.allow),
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })
}

/** The kinds of work that something waits of, the most urgent first. */
const waitingKinds = (work: Work | undefined): [WorkKind, Waiting][] =>
  WORK_KINDS.flatMap(kind => {
    const waiting = work?.waiting[kind]
    return waiting && waiting.count > 0 ? [[kind, waiting] as [WorkKind, Waiting]] : []
  })

/** How much waits on a page of the menu. */
export function workOfPage(work: Work | undefined, page: StaffPage): { count: number; isPressing: boolean } {
  const kinds = waitingKinds(work).filter(([kind]) => WORK[kind].page === page)
  return {
    count: kinds.reduce((sum, [, { count }]) => sum + count, 0),
    isPressing: kinds.some(([kind]) => WORK[kind].isPressing),
  }
}

/** For how many things a customer waits. */
export const pressingCount = (work: Work | undefined): number =>
  waitingKinds(work).reduce((sum, [kind, { count }]) => sum + (WORK[kind].isPressing ? count : 0), 0)
