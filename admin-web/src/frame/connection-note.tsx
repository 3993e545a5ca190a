import { formatClock } from '@shop/web/dates.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** Since when, in ms, the oldest data on the page could not be read again; 0 while all of it is current. */
function staleSince(queries: QueryClient): number {
  const shown = queries.getQueryCache().findAll({ type: 'active' })
  const lost = shown.filter(
    ({ state }) => state.data !== undefined && (state.status === 'error' || state.fetchStatus === 'paused'),
  )
  return lost.length === 0 ? 0 : Math.min(...lost.map(({ state }) => state.dataUpdatedAt))
}

/** Says since when the data on the page is old, and offers to read it again; disappears when it is current. */
export function ConnectionNote() {
  const queries = useQueryClient()
  const since = useSyncExternalStore(
    onChange => queries.getQueryCache().subscribe(onChange),
    () => staleSince(queries),
  )
  return (
    <div role="status" className={since ? 'connection-note' : 'sr-only'}>
      {since > 0 && (
        <>
          <WifiOff size={16} aria-hidden />
          <span className="grow">ขาดการเชื่อมต่อ ข้อมูลที่เห็นเป็นของเวลา {formatClock(new Date(since))}</span>
          <Button size="small" onClick={() => queries.refetchQueries({ type: 'active' })}>
            ลองอีกครั้ง
          </Button>
        </>
      )}
    </div>
  )
}
