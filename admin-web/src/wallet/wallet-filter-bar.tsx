import { listWalletStatuses } from '@shop/shared/wallet/endpoints.ts'
import { ACTION_TYPES } from '@shop/shared/wallet/top-up.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { ChoicesFilter, FilterBar, MonthFilter } from '../ui/filter-bar.tsx'
import type { WalletFilters } from './wallet-filters.ts'

const typeOptions = ACTION_TYPES.map(value => ({ value, label: value }))

export function WalletFilterBar(props: {
  filters: WalletFilters
  isFiltered: boolean
  onChange: (some: Partial<WalletFilters>) => void
  /** Runs when somebody searches again without a change. */
  onSearch: () => void
  onReset: () => void
}) {
  const { filters, isFiltered, onChange, onSearch, onReset } = props
  const client = useClient()
  const statuses = useQuery({ ...client.query(listWalletStatuses), staleTime: Number.POSITIVE_INFINITY })
  const [typed, setTyped] = useState({ transactionNo: '', agentName: '' })
  useEffect(
    () => setTyped({ transactionNo: filters.transactionNo, agentName: filters.agentName }),
    [filters.transactionNo, filters.agentName],
  )

  const search = (texts: typeof typed) => {
    const transactionNo = texts.transactionNo.trim()
    const agentName = texts.agentName.trim()
    if (transactionNo === filters.transactionNo && agentName === filters.agentName) onSearch()
    else onChange({ transactionNo, agentName })
  }
  const textBox = (name: keyof typeof typed, label: string, maxLength: number) => (
    <Input
      aria-label={label}
      placeholder={label}
      allowClear
      maxLength={maxLength}
      value={typed[name]}
      onChange={event => {
        const texts = { ...typed, [name]: event.target.value }
        setTyped(texts)
        if (event.type === 'click') search(texts)
      }}
      style={{ width: 140 }}
    />
  )
  return (
    <FilterBar label="ตัวกรองรายการกระเป๋าเงิน" isFiltered={isFiltered} onReset={onReset} onSearch={() => search(typed)}>
      <MonthFilter month={filters.month} onChange={month => onChange({ month })} />
      <ChoicesFilter
        label="ประเภทรายการ"
        all="ทุกประเภท"
        options={typeOptions}
        chosen={filters.actionType}
        width={150}
        onChange={actionType => onChange({ actionType })}
      />
      <ChoicesFilter
        label="สถานะ"
        all="ทุกสถานะ"
        options={statuses.data?.map(({ code, name }) => ({ value: code, label: name }))}
        chosen={filters.status}
        width={160}
        onChange={status => onChange({ status })}
      />
      {textBox('transactionNo', 'เลขที่รายการ', 20)}
      {textBox('agentName', 'ชื่อตัวแทน', 100)}
      <Button htmlType="submit" icon={<Search size={16} aria-hidden />}>
        ค้นหา
      </Button>
    </FilterBar>
  )
}
