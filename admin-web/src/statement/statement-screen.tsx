import { messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import {
  decideStatementLine,
  exportStatementLines,
  type LineSourceView,
  listStatementLines,
  type StatementLineView,
} from '@shop/shared/statement/endpoints.ts'
import { readStatementFile } from '@shop/shared/statement/import-endpoints.ts'
import { writeSource } from '@shop/shared/statement/line-source.ts'
import { LINE_STATE, LINE_STATES } from '@shop/shared/statement/statement.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { App, Button, Checkbox, Select } from 'antd'
import { Download, Upload } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { ChoicesFilter, FilterBar } from '../ui/filter-bar.tsx'
import { letterOf } from '../ui/keys.ts'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { useUrlChoice } from '../ui/url-filters.ts'
import { AccountSelect, nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { BEST_BUTTON_ID } from './candidates.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { FIND_BUTTON_ID, LinePanel, useLine } from './line-panel.tsx'
import { focusLine, LineTable, moveFocus } from './line-table.tsx'
import { sourceName } from './line-texts.ts'
import { PeriodFilter } from './period-filter.tsx'
import { queryOf, type StatementFilters, useStatementFilters } from './statement-filters.ts'
import { WaitingFiles } from './waiting-files.tsx'
import './statement.css'

const POLL_MS = 15_000
/** The ids of the buttons that single keys lead to while the focus is in the list. */
const SHORTCUTS: Record<string, string> = { m: BEST_BUTTON_ID, f: FIND_BUTTON_ID }

const stateOptions = LINE_STATES.map(value => ({ value, label: LINE_STATE[value].label }))

/** The lines of the shop's bank accounts, and what each of them is money for. */
export function StatementScreen() {
  const client = useClient()
  const { filters, isFiltered, change } = useStatementFilters()
  const [openId, open] = useUrlChoice('line')
  const [ownChanges, setOwnChanges] = useState(0)
  const mayDecide = can(useMe().role, decideStatementLine.allow)
  const { page, pageSize } = filters
  const list = useQuery({
    ...client.query(listStatementLines, { query: { ...queryOf(filters), page, pageSize } }),
    // After a failed first load, only the person's retry asks again.
    refetchInterval: query => (query.state.data ? POLL_MS : false),
    placeholderData: keepPreviousData,
  })
  useFiltersOfLine(openId, isFiltered, change)
  const rows = list.data?.rows ?? []
  const { onKeyDown, wantFocus } = useListKeys(rows, openId, ownChanges)
  const close = () => {
    if (openId) focusLine(openId)
    open(null)
  }
  /** The focus goes along, so that the keys of the list work from there. */
  const goTo = (id: string) => {
    wantFocus(id)
    open(id)
  }
  /** A decided line leaves the list of those that wait, and the next one opens. */
  const afterDecision = () => {
    const at = rows.findIndex(row => row.id === openId)
    const next = filters.noSaleOrder && at >= 0 ? (rows[at + 1] ?? rows[at - 1] ?? null) : undefined
    if (next !== undefined) open(next?.id ?? null)
    wantFocus(next === undefined ? openId : (next?.id ?? null))
    setOwnChanges(count => count + 1)
  }
  return (
    <>
      <PageHead title="จับคู่รายการธนาคาร">
        <Actions filters={filters} />
      </PageHead>
      <WaitingFiles />
      <StatementFilterBar
        filters={filters}
        onChange={change}
        summary={list.data?.summary}
        sources={list.data?.sources}
      />
      <div className={openId ? 'list-and-panel is-open statement' : 'list-and-panel statement'}>
        <ListSection label="รายการธนาคาร" query={list} onKeyDown={onKeyDown}>
          <LineTable
            data={list.data}
            isLoading={list.isPending || list.isPlaceholderData}
            scope={list.isPlaceholderData ? 'previous' : `${JSON.stringify(filters)} ${ownChanges}`}
            filters={filters}
            onFilter={change}
            openId={openId}
            onOpen={goTo}
            empty={<NoLines filters={filters} />}
          />
          {openId && rows.length > 0 && (
            <p className="note muted keys">
              ใช้ <kbd>↑</kbd> <kbd>↓</kbd> เลื่อนรายการ · <kbd>Enter</kbd> เปิด
              {mayDecide && (
                <>
                  {' '}
                  · <kbd>M</kbd> ไปที่ปุ่มจับคู่ · <kbd>F</kbd> ค้นหาเอง
                </>
              )}
            </p>
          )}
        </ListSection>
        {openId && <LinePanel key={openId} id={openId} onClose={close} onDecided={afterDecision} />}
      </div>
    </>
  )
}

/** The shortcuts of the list; `wantFocus` puts the focus on a line once another one is open or `ownChanges` counts up. */
function useListKeys(rows: readonly StatementLineView[], openId: string | null, ownChanges: number) {
  const wantedLine = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it must run when the value changes, but does not use it
  useEffect(() => {
    if (wantedLine.current) focusLine(wantedLine.current)
    wantedLine.current = null
  }, [ownChanges, openId])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as Element).closest('.ant-table-tbody') || event.ctrlKey || event.metaKey || event.altKey) return
    const goal = openId ? document.getElementById(SHORTCUTS[letterOf(event)] ?? '') : null
    if (goal) goal.focus()
    else if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || !moveFocus(event, rows)) return
    event.preventDefault()
  }
  const wantFocus = (id: string | null) => {
    wantedLine.current = id
  }
  return { onKeyDown, wantFocus }
}

interface FilterProps {
  filters: StatementFilters
  onChange: (some: Partial<StatementFilters>) => void
}

/** An address may name a decided line alone: the list then shows the account and day it stands in. */
function useFiltersOfLine(openId: string | null, isFiltered: boolean, change: FilterProps['onChange']) {
  const [namedAlone, setNamedAlone] = useState(isFiltered ? null : openId)
  const { data } = useLine(namedAlone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is another function at every render
  useEffect(() => {
    if (!data || namedAlone === null) return
    setNamedAlone(null)
    const { receivingAccountId: account, day, state } = data.line
    if (!LINE_STATE[state].isOpen) change({ account, from: day, to: day, noSaleOrder: false })
  }, [data, namedAlone])
}

function StatementFilterBar(
  props: FilterProps & {
    summary: { byItself: number; moneyIn: number } | null | undefined
    sources: readonly LineSourceView[] | null | undefined
  },
) {
  const { filters, onChange, summary, sources } = props
  const isFiltered = hasMoreFilters(filters)
  const [isWide, setIsWide] = useState(false)
  /** What is seldom asked for stands aside until somebody wants it. */
  const hasMore = isWide || filters.source !== null || filters.gap
  return (
    <FilterBar
      label="ตัวกรองรายการธนาคาร"
      isFiltered={isFiltered}
      onReset={() => onChange({ text: '', state: [], source: null, gap: false, disputed: false })}
      actions={
        summary && (
          <span className="small muted">
            จับคู่อัตโนมัติแล้ว <b className="strong number">{summary.byItself.toLocaleString('en-US')}</b> จาก{' '}
            <span className="number">{summary.moneyIn.toLocaleString('en-US')}</span> รายการ
          </span>
        )
      }
    >
      <AccountSelect
        label="บัญชีธนาคาร"
        value={filters.account}
        placeholder="ทุกบัญชี"
        allowClear
        width={165}
        onChange={account => onChange({ account })}
      />
      <PeriodFilter from={filters.from} to={filters.to} anyName="ทุกวัน" onChange={onChange} />
      <Checkbox checked={filters.noSaleOrder} onChange={event => onChange({ noSaleOrder: event.target.checked })}>
        ยังไม่มีคำสั่งซื้อ
      </Checkbox>
      {!filters.noSaleOrder && (
        <ChoicesFilter
          label="สถานะรายการ"
          all="ทุกสถานะ"
          options={stateOptions}
          chosen={filters.state}
          width={160}
          onChange={state => onChange({ state })}
        />
      )}
      {filters.disputed && (
        <Checkbox checked onChange={() => onChange({ disputed: false })}>
          เพิกถอนไม่ได้
        </Checkbox>
      )}
      <SearchInput
        label="รายละเอียดหรือยอด"
        value={filters.text}
        maxLength={60}
        width={190}
        onSearch={text => onChange({ text })}
      />
      {hasMore ? (
        <>
          <Select<string>
            aria-label="ที่มาของรายการ"
            placeholder="ทุกที่มา"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={filters.source}
            options={sourceOptions(sources ?? [], filters.source)}
            popupMatchSelectWidth={false}
            style={{ width: 190 }}
            onChange={source => onChange({ source: source ?? null })}
          />
          <Checkbox checked={filters.gap} onChange={event => onChange({ gap: event.target.checked })}>
            ยอดไม่ต่อกัน
          </Checkbox>
        </>
      ) : (
        <Button type="link" style={{ padding: 0 }} onClick={() => setIsWide(true)}>
          ตัวกรองเพิ่ม
        </Button>
      )}
    </FilterBar>
  )
}

/** Whether a filter other than account, period and "no order yet" is set. */
const hasMoreFilters = ({ text, state, source, gap, disputed }: StatementFilters) =>
  text !== '' || state.length > 0 || source !== null || gap || disputed

/** All files, all keys, and each single one; a chosen source without lines in the period stays in the list. */
function sourceOptions(sources: readonly LineSourceView[], chosen: string | null) {
  const each = sources
    .filter(({ id }) => id !== null)
    .map(source => ({ value: writeSource(source), label: sourceName(source) }))
  const all = [{ value: 'file', label: 'ไฟล์ธนาคารทั้งหมด' }, { value: 'feed', label: 'ส่งโดยระบบทั้งหมด' }, ...each]
  const isTold = chosen === null || all.some(({ value }) => value === chosen)
  return isTold ? all : [...all, { value: chosen, label: 'ที่มาที่เลือก' }]
}

function NoLines({ filters }: Pick<FilterProps, 'filters'>) {
  if (hasMoreFilters(filters)) return <NothingFound text="ไม่พบรายการในตัวกรองนี้" />
  if (!filters.noSaleOrder) return <NothingFound text="ไม่มีรายการในช่วงนี้" />
  return <NothingFound text={filters.from ? 'ไม่มีรายการที่รอจับคู่ในช่วงนี้' : 'จับคู่ครบแล้ว ไม่มีรายการที่รอ'} />
}

function Actions({ filters }: { filters: StatementFilters }) {
  const client = useClient()
  const { role } = useMe()
  const { message } = App.useApp()
  const [isImporting, setIsImporting] = useState(false)
  const accounts = useStatementAccounts()
  const account = accounts.data?.find(({ id }) => id === filters.account)
  const download = useMutation({
    mutationFn: () => client.call(exportStatementLines, { query: queryOf(filters) }),
    onSuccess: (file: Blob) => saveFile(file, exportNameOf(new Date(), account && nameOfAccount(account))),
    onError: error => message.error({ content: `ดาวน์โหลดไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  return (
    <>
      <Button icon={<Download size={16} aria-hidden />} loading={download.isPending} onClick={() => download.mutate()}>
        ดาวน์โหลด CSV
      </Button>
      {can(role, readStatementFile.allow) && (
        <Button type="primary" icon={<Upload size={16} aria-hidden />} onClick={() => setIsImporting(true)}>
          นำเข้าไฟล์ธนาคาร
        </Button>
      )}
      {isImporting && <ImportDialog accountId={filters.account} onClose={() => setIsImporting(false)} />}
    </>
  )
}
