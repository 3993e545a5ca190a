import { listWalletStatuses } from '@shop/shared/wallet/endpoints.ts'
import { ACTION_TYPES } from '@shop/shared/wallet/top-up.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClient } from '../account/session-context.tsx'
import type { WalletFilters } from './wallet-filters.ts'

const typeOptions = ACTION_TYPES.map(value => ({ value, label: value }))

export function WalletFilterBar(props: {
  filters: WalletFilters
  isFiltered: boolean
  onChange: (some: Partial<WalletFilters>) => void
  /** Asks again, also when nothing was changed. */
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
      style={{ width: 160 }}
    />
  )
  return (
    <search aria-label="ตัวกรองรายการกระเป๋าเงิน">
      <form
        className="filters"
        onSubmit={event => {
          event.preventDefault()
          search(typed)
        }}
      >
        <DatePicker
          picker="month"
          aria-label="เดือน"
          format="MMM YYYY"
          placeholder="ทุกเดือน"
          value={filters.month ? dayjs(`${filters.month}-01`) : null}
          onChange={month => onChange({ month: month ? month.format('YYYY-MM') : null })}
          style={{ width: 130 }}
        />
        <Select
          mode="multiple"
          aria-label="ประเภทรายการ"
          placeholder="ทุกประเภท"
          maxTagCount="responsive"
          allowClear
          value={filters.actionType}
          options={typeOptions}
          onChange={actionType => onChange({ actionType })}
          style={{ width: 170 }}
        />
        <Select
          mode="multiple"
          aria-label="สถานะ"
          placeholder="ทุกสถานะ"
          maxTagCount="responsive"
          allowClear
          loading={statuses.isPending}
          value={statuses.data ? filters.status : []}
          options={statuses.data?.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={status => onChange({ status })}
          style={{ width: 180 }}
        />
        {textBox('transactionNo', 'เลขที่รายการ', 20)}
        {textBox('agentName', 'ชื่อตัวแทน', 100)}
        <Button htmlType="submit" icon={<Search size={16} aria-hidden />}>
          ค้นหา
        </Button>
        {isFiltered && (
          <Button type="link" onClick={onReset}>
            ล้างตัวกรอง
          </Button>
        )}
      </form>
    </search>
  )
}
