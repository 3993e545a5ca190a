import type { Reply } from '@shop/shared/endpoint.ts'
import { searchWallets } from '@shop/shared/wallet/endpoints.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useClient } from '../account/session.tsx'

export type Wallet = Reply<typeof searchWallets>[number]

/** Searches people with a wallet while their name is typed. */
export function WalletSelect(props: {
  id?: string
  value?: string
  onChange?: (id: string) => void
  onWallet: (wallet: Wallet | undefined) => void
}) {
  const { id, value, onChange, onWallet } = props
  const client = useClient()
  const [name, setName] = useState('')
  const asked = useDeferredValue(name.trim())
  const found = useQuery({
    ...client.query(searchWallets, { query: { name: asked || undefined } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      id={id}
      showSearch={{ filterOption: false, onSearch: setName }}
      autoFocus
      placeholder="ค้นหาชื่อหรืออีเมล"
      value={value}
      loading={found.isFetching}
      notFoundContent={
        found.isError ? <span role="alert">เกิดข้อผิดพลาดในการค้นหา</span> : found.isPending ? 'กรุณารอสักครู่..' : 'ไม่พบตัวแทน'
      }
      options={found.data?.map(each => ({
        value: each.id,
        label: [each.name, each.tierName, each.email && !each.name.includes(each.email) ? each.email : null]
          .filter(Boolean)
          .join(' · '),
      }))}
      onChange={(chosen: string) => {
        onWallet(found.data?.find(each => each.id === chosen))
        onChange?.(chosen)
      }}
    />
  )
}
