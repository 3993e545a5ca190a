import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { listStatementAccounts } from '@shop/shared/statement/endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useClient } from '../account/session.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import type { Field } from '../ui/url-filters.ts'

export type StatementAccount = Reply<typeof listStatementAccounts>[number]

export const accountField: Field<number | null> = {
  read: ([text]) => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : null),
  write: id => (id === null ? [] : [String(id)]),
}

const FRESH_MS = 10_000

/** Reads all receiving accounts, also those that are no longer used. */
export function useStatementAccounts() {
  const client = useClient()
  return useQuery({ ...client.query(listStatementAccounts), staleTime: FRESH_MS })
}

/** The bank and the last four digits of an account: "กสิกรไทย x5678". */
export const nameOfAccount = ({ bankCode, accountNo }: Pick<StatementAccount, 'bankCode' | 'accountNo'>) =>
  `${bankOf(bankCode).niceName} x${accountNo.replace(/\D/g, '').slice(-4)}`

/** How many lines wait on an account, and up to which day its lines are known. */
function standingOf({ waiting, latestDay }: StatementAccount): string {
  const latest = latestDay ? `ข้อมูลถึง ${formatDay(latestDay)}` : 'ยังไม่เคยนำเข้า'
  return waiting > 0 ? `รอ ${waiting.toLocaleString('en-US')} รายการ · ${latest}` : latest
}

export function AccountSelect(props: {
  id?: string
  label?: string
  value?: number | null
  onChange?: (id: number | null) => void
  placeholder?: string
  allowClear?: boolean
  isInvalid?: boolean
  disabled?: boolean
  width?: number | string
}) {
  const { id, label, value, onChange, placeholder = 'บัญชีธนาคาร', isInvalid = false, width = 220, ...others } = props
  const accounts = useStatementAccounts()
  return (
    <Select<number>
      {...others}
      id={id}
      aria-label={label}
      placeholder={placeholder}
      status={isInvalid ? 'error' : undefined}
      loading={accounts.isPending}
      showSearch={{ optionFilterProp: 'label' }}
      value={accounts.data ? value : undefined}
      options={accounts.data?.map(each => ({
        value: each.id,
        label: each.isActive ? nameOfAccount(each) : `${nameOfAccount(each)} (ปิดใช้งาน)`,
        note: standingOf(each),
      }))}
      popupMatchSelectWidth={false}
      optionRender={({ label: name, data }) => <TwoLines note={data.note}>{name}</TwoLines>}
      onChange={chosen => onChange?.(chosen ?? null)}
      style={{ width }}
    />
  )
}
