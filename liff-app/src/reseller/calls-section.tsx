import { type CallView, listCalls } from '@shop/shared/reseller/key-endpoints.ts'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, List } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { NothingFound } from '../ui/clear-filters.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Loaded, RowsSkeleton } from '../ui/state.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { DOCS_PATH } from './address.ts'
import { MorePages, Parts } from './parts.tsx'

const FOLLOW_MS = 10_000

/** What the agent's machines called in the last days, to find out why a call failed. It is read once it is opened. */
export function CallsSection({ mode }: { mode: KeyMode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="api-calls" className="mt-8">
      <h2 id="api-calls" className="text-section">
        การเรียกล่าสุด
      </h2>
      <p className="text-ink-2 text-small">ทุกครั้งที่เครื่องของคุณเรียก API ใน 7 วันที่ผ่านมา ไม่เก็บคีย์และเนื้อหา</p>
      <Button
        kind="quiet"
        size="small"
        className="-ml-3.5"
        aria-expanded={isOpen}
        icon={<ChevronDown size={18} className={isOpen ? 'rotate-180' : undefined} />}
        onClick={() => setOpen(!isOpen)}
      >
        ดูการเรียก
      </Button>
      {isOpen && <Calls mode={mode} />}
    </section>
  )
}

function Calls({ mode }: { mode: KeyMode }) {
  const [isFailed, setFailed] = useState(false)
  const log = useInfiniteQuery({
    queryKey: [listCalls.path, mode, isFailed],
    queryFn: ({ pageParam }) =>
      api.call(listCalls, { query: { mode, isFailed: isFailed ? 'true' : undefined, after: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ calls, hasMore }) => (hasMore ? calls.at(-1)?.id : undefined),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: FOLLOW_MS,
  })
  return (
    <>
      <Select
        label="ผลการเรียก"
        all="ทั้งหมด"
        value={isFailed ? 'failed' : ''}
        choices={[{ value: 'failed', label: 'ไม่สำเร็จ' }]}
        onChange={value => setFailed(value === 'failed')}
      />
      <Loaded query={log} skeleton={<RowsSkeleton />} spaced filtered>
        {({ pages }) => {
          const calls = pages.flatMap(page => page.calls)
          if (calls.length > 0)
            return (
              <ul aria-label="การเรียก" className="mt-1 divide-y divide-line">
                {calls.map(call => (
                  <CallRow key={call.id} call={call} />
                ))}
              </ul>
            )
          return isFailed ? (
            <NothingFound title="ไม่มีการเรียกที่ไม่สำเร็จ" onClear={() => setFailed(false)} />
          ) : (
            <Empty icon={List} title="ยังไม่มีการเรียก" text="เมื่อเครื่องของคุณเรียก API จะเห็นที่นี่" />
          )
        }}
      </Loaded>
      <MorePages query={log} />
    </>
  )
}

const CallRow = ({ call: { call, status, code, ref, at, keyName, address } }: { call: CallView }) => (
  <li className="py-3">
    <p className="flex flex-wrap items-start justify-between gap-x-3">
      <span className="wrap-anywhere min-w-0 font-mono text-small">{call}</span>
      <StatusTag tone={code === null ? 'ok' : 'bad'}>{String(status)}</StatusTag>
    </p>
    {code && (
      <p>
        <a href={`${DOCS_PATH}#errors`} target="_blank" rel="noreferrer" className="link font-mono text-small">
          {code}
        </a>
      </p>
    )}
    <Parts parts={[formatDateTimeSeconds(at), ref && `ref ${ref}`, keyName, address]} />
  </li>
)
