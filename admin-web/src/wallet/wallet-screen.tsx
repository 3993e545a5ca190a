import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { exportAllTransactions, listAllTransactions } from '@shop/shared/wallet/endpoints.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { App, Button, Tabs } from 'antd'
import { Download, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { isElsewhere, isField, letterOf } from '../ui/keys.ts'
import { ListSection } from '../ui/list-section.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlChoice } from '../ui/url-filters.ts'
import { AddTopUpDialog } from './add-top-up-dialog.tsx'
import { APPROVE_BUTTON_ID, REASON_BOX_ID } from './top-up-decision.tsx'
import { TopUpPanel } from './top-up-panel.tsx'
import { WalletFilterBar } from './wallet-filter-bar.tsx'
import { queryOf, useWalletFilters, type WalletFilters } from './wallet-filters.ts'
import { type TransactionRow, WalletTable } from './wallet-table.tsx'
import './wallet.css'

const POLL_MS = 15_000

/** The top-ups of agents that wait for approval, and all movements of their wallets. */
export function WalletScreen() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useWalletFilters()
  const [openId, open] = useUrlChoice('tx')
  const [ownChanges, setOwnChanges] = useState(0)
  const { page, pageSize } = filters
  const list = useQuery({
    ...client.query(listAllTransactions, { query: { ...queryOf(filters), page, pageSize } }),
    // After a failed first load, only the person's retry asks again.
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
  const topUps = list.data?.rows.filter(row => row.isTopUp) ?? []
  const openRow = topUps.find(row => row.id === openId)
  // The list is drawn anew when either of these changes, and the link to focus exists only after that.
  const wantedRow = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it must run when the values change, but does not use them
  useEffect(() => {
    if (wantedRow.current) document.querySelector<HTMLElement>(`a[data-row="${wantedRow.current}"]`)?.focus()
    wantedRow.current = null
  }, [openId, ownChanges])
  const goTo = (id: string) => {
    wantedRow.current = id
    open(id)
  }
  /** A decided row leaves the waiting list, and the next one opens. */
  const afterDecision = () => {
    const at = topUps.findIndex(row => row.id === openId)
    const isWaitingList = filters.status.join() === 'waiting_approve'
    const next = isWaitingList && at >= 0 ? (topUps[at + 1] ?? topUps[at - 1] ?? null) : undefined
    if (next !== undefined) open(next?.id ?? null)
    wantedRow.current = next === undefined ? openId : (next?.id ?? null)
    setOwnChanges(count => count + 1)
  }
  useDecisionKeys()
  return (
    <>
      <PageHead title="กระเป๋าเงินตัวแทน">
        <Actions filters={filters} onAdded={open} />
      </PageHead>
      <WalletFilterBar
        filters={filters}
        isFiltered={isFiltered}
        onChange={change}
        onSearch={() => list.refetch()}
        onReset={reset}
      />
      <div className={openId ? 'list-and-panel is-open wallet' : 'list-and-panel wallet'}>
        <ListSection
          label="รายการกระเป๋าเงิน"
          query={list}
          onKeyDown={event => moveByKey(event, topUps, goTo)}
          head={<StatusTabs filters={filters} onChange={change} />}
        >
          <WalletTable
            data={list.data}
            isLoading={list.isPending || list.isPlaceholderData}
            scope={list.isPlaceholderData ? 'previous' : `${JSON.stringify(filters)} ${ownChanges}`}
            filters={filters}
            isFiltered={isFiltered}
            onFilter={change}
            openId={openId}
            onOpen={goTo}
          />
          {openId && (
            <p className="note muted keys">
              ใช้ <kbd>↑</kbd> <kbd>↓</kbd> เลื่อนรายการ · <kbd>A</kbd> ไปที่ปุ่มอนุมัติ · <kbd>R</kbd> ไปที่เหตุผล
            </p>
          )}
        </ListSection>
        {openId && (
          <TopUpPanel
            key={openId}
            id={openId}
            canCancel={openRow?.canCancel ?? false}
            onClose={() => open(null)}
            onDecided={afterDecision}
          />
        )}
      </div>
    </>
  )
}

/** The ids that single keys lead to; they only move the focus, so that a slip of the finger decides nothing. */
const SHORTCUTS: Record<string, string> = { a: APPROVE_BUTTON_ID, r: REASON_BOX_ID }

/** Works wherever the focus is on the page, except in fields and dialogs. */
function useDecisionKeys() {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target) || isElsewhere(event.target)) return
      const goal = document.getElementById(SHORTCUTS[letterOf(event)] ?? '')
      if (!goal) return
      event.preventDefault()
      goal.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function moveByKey(event: KeyboardEvent, topUps: TransactionRow[], goTo: (id: string) => void) {
  const focused = (event.target as Element).closest<HTMLElement>('.ant-table-tbody tr')?.dataset.rowKey
  if (!focused || event.ctrlKey || event.metaKey || event.altKey) return
  const { key } = event
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  const at = topUps.findIndex(row => row.id === focused)
  const next = topUps[at < 0 ? 0 : at + (key === 'ArrowDown' ? 1 : -1)]
  if (next) goTo(next.id)
}

/** The two lists that people use most; the filters make any other list. */
function StatusTabs(props: { filters: WalletFilters; onChange: (some: Partial<WalletFilters>) => void }) {
  const { filters, onChange } = props
  const client = useClient()
  const waiting = useQuery({
    ...client.query(listAllTransactions, { query: { status: ['waiting_approve'], page: 1, pageSize: 1 } }),
    refetchInterval: POLL_MS,
  })
  const status = filters.status.join()
  const count = waiting.data && <span className="tag count">{waiting.data.total}</span>
  return (
    <Tabs
      activeKey={status === 'waiting_approve' ? 'waiting' : status === '' ? 'all' : 'some'}
      onTabClick={key => onChange({ status: key === 'waiting' ? ['waiting_approve'] : [] })}
      items={[
        { key: 'waiting', label: <span className="row">รออนุมัติ {count}</span> },
        { key: 'all', label: 'ทั้งหมด' },
      ]}
    />
  )
}

function Actions({ filters, onAdded }: { filters: WalletFilters; onAdded: (id: string) => void }) {
  const client = useClient()
  const me = useMe()
  const { message } = App.useApp()
  const [isAdding, setIsAdding] = useState(false)
  const download = useMutation({
    mutationFn: () => client.call(exportAllTransactions, { query: queryOf(filters) }),
    onSuccess: (file: Blob) => saveFile(file, exportNameOf(new Date())),
    onError: error => message.error({ content: `ดาวน์โหลดไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  return (
    <>
      <Button icon={<Download size={16} aria-hidden />} loading={download.isPending} onClick={() => download.mutate()}>
        ดาวน์โหลด CSV
      </Button>
      {can(me.role, 'wallet.addTopUp') && (
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          เติมเงิน
        </Button>
      )}
      {isAdding && (
        <AddTopUpDialog
          onClose={() => setIsAdding(false)}
          onAdded={id => {
            setIsAdding(false)
            onAdded(id)
          }}
        />
      )}
    </>
  )
}
