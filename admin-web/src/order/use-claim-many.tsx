import { MAX_CLAIMED_AT_ONCE } from '@shop/shared/order/queue.ts'
import { claimOrders, listQueue, type QueueRow } from '@shop/shared/order/queue-endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { notSaved } from '../ui/not-saved.ts'
import { isClaimable } from './queue-table.tsx'

/** The rows of one game that are selected to be claimed together; a row that somebody else claims is left out. */
export function useClaimMany(rows: readonly QueueRow[], onClaimed: (orderNos: string[]) => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selectedRows = rows.filter(row => chosen.has(row.orderNo) && isClaimable(row))
  const selected = new Set(selectedRows.map(({ orderNo }) => orderNo))
  const gameId = selectedRows[0]?.gameId ?? null

  const toggle = (row: QueueRow) => {
    if (!isClaimable(row)) return
    if (selected.has(row.orderNo)) selected.delete(row.orderNo)
    else if (gameId !== null && gameId !== row.gameId) message.info('เลือกได้ครั้งละหนึ่งเกม')
    else if (selected.size >= MAX_CLAIMED_AT_ONCE) message.info(`เลือกได้ครั้งละไม่เกิน ${MAX_CLAIMED_AT_ONCE} รายการ`)
    else selected.add(row.orderNo)
    setChosen(new Set(selected))
  }
  const claiming = useMutation({
    mutationFn: () => client.call(claimOrders, { body: { orderNos: [...selected] } }),
    onSuccess: async ({ claimed, refused }) => {
      setChosen(new Set())
      if (claimed.length > 0) message.success(`รับเรื่องแล้ว ${claimed.length} รายการ`)
      for (const { orderNo, message: text } of refused) message.error({ content: `${orderNo} ${text}`, duration: 8 })
      await queries.invalidateQueries({ queryKey: [listQueue.path] })
      onClaimed(claimed)
    },
    onError: error => message.error({ content: notSaved(error), duration: 6 }),
  })
  return {
    selected,
    gameId,
    gameName: selectedRows[0]?.gameName ?? '',
    toggle,
    clear: () => setChosen(new Set()),
    claim: () => claiming.mutate(),
    isClaiming: claiming.isPending,
  }
}
