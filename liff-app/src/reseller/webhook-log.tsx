import { listWebhookMessages, type WebhookView } from '@shop/shared/webhook/endpoints.ts'
import { MESSAGE_STATE, MESSAGE_STATES, type MessageState } from '@shop/shared/webhook/webhook.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { api } from '../api.ts'
import { NothingFound } from '../ui/clear-filters.tsx'
import { Select } from '../ui/select.tsx'
import { Empty, Loaded, RowsSkeleton } from '../ui/state.tsx'
import { MessageRow } from './message-row.tsx'
import { MorePages } from './parts.tsx'
import { usePlace } from './place.ts'

const FOLLOW_MS = 3000
/** A message whose next try is further away is not waited for. */
const SOON_MS = 60_000

/** The messages of an endpoint, newest first, followed while one of them is about to be sent. */
const useLog = (id: string, state: MessageState | undefined) =>
  useInfiniteQuery({
    queryKey: [listWebhookMessages.path, id, state],
    queryFn: ({ pageParam }) => api.call(listWebhookMessages, { params: { id }, query: { state, after: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ messages, hasMore }) => (hasMore ? messages.at(-1)?.id : undefined),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const isSoon = data?.pages.some(({ messages, nowDate }) =>
        messages.some(({ nextAt }) => nextAt && Date.parse(nextAt) - Date.parse(nowDate) < SOON_MS),
      )
      return isSoon ? FOLLOW_MS : false
    },
  })

/** What was sent to an endpoint and what will be. */
export function WebhookLog({ webhook }: { webhook: WebhookView }) {
  const { place, go } = usePlace()
  const { state } = place
  const log = useLog(webhook.id, state)
  const filter = (next: MessageState | undefined) => go({ ...place, state: next })
  return (
    <section aria-label="ประวัติการส่ง" className="mt-3 border-line border-t pt-3">
      <Select
        label="สถานะการส่ง"
        all="ทุกสถานะ"
        value={state ?? ''}
        choices={MESSAGE_STATES.map(each => ({ value: each, label: MESSAGE_STATE[each].label }))}
        onChange={value => filter(MESSAGE_STATES.find(each => each === value))}
      />
      <Loaded query={log} skeleton={<RowsSkeleton />} spaced filtered>
        {({ pages }) => {
          const messages = pages.flatMap(page => page.messages)
          if (messages.length > 0) {
            return (
              <ul className="mt-1 divide-y divide-line">
                {messages.map(message => (
                  <MessageRow key={message.id} webhook={webhook} message={message} />
                ))}
              </ul>
            )
          }
          return state ? (
            <NothingFound title="ไม่พบข้อความ" onClear={() => filter(undefined)} />
          ) : (
            <Empty icon={Inbox} title="ยังไม่มีข้อความ" text="กด “ส่งทดสอบ” เพื่อลองส่งข้อความแรก" />
          )
        }}
      </Loaded>
      <MorePages query={log} />
    </section>
  )
}
