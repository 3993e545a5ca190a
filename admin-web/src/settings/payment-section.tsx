import { listPaymentMethods } from '@shop/shared/catalogue/endpoints.ts'
import { listManagedAccounts, type ManagedAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, type TableColumnsType } from 'antd'
import { ArrowUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { EditButton } from '../ui/edit-button.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { ListCard } from './list-card.tsx'
import { type Method, MethodDrawer, MethodOrder } from './method-forms.tsx'

/** The payment methods, and the bank accounts that customers transfer to. */
export function PaymentSection() {
  const client = useClient()
  const methods = useQuery(client.query(listPaymentMethods))
  const [isOrdering, setIsOrdering] = useState(false)
  const [method, setMethod] = useState<Method | null>(null)
  const [account, setAccount] = useState<ManagedAccount | 'new' | null>(null)
  const accounts = useQuery(client.query(listManagedAccounts))
  const bankMethod = methods.data?.find(({ code }) => code === 'bank')?.name ?? '–'
  return (
    <>
      <ListCard
        title="วิธีชำระเงิน"
        list={methods}
        rowKey="code"
        columns={methodColumns(setMethod)}
        width={480}
        emptyText="ยังไม่มีวิธีชำระเงิน"
      >
        <Button
          icon={<ArrowUpDown size={16} aria-hidden />}
          disabled={!methods.data}
          onClick={() => setIsOrdering(true)}
        >
          จัดเรียงวิธีชำระเงิน
        </Button>
      </ListCard>
      <ListCard
        title="บัญชีรับโอน"
        list={accounts}
        rowKey="id"
        columns={accountColumns(bankMethod, setAccount)}
        width={900}
        emptyText="ยังไม่มีบัญชีรับโอน ลูกค้าจะโอนเงินไม่ได้"
      >
        <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAccount('new')}>
          เพิ่มบัญชีรับโอน
        </Button>
      </ListCard>
      {isOrdering && <MethodOrder methods={methods.data ?? []} onClose={() => setIsOrdering(false)} />}
      {method && <MethodDrawer method={method} methods={methods.data ?? []} onClose={() => setMethod(null)} />}
      {account && <AccountDrawer account={account === 'new' ? null : account} onClose={() => setAccount(null)} />}
    </>
  )
}

const methodColumns = (onEdit: (method: Method) => void): TableColumnsType<Method> => [
  { title: 'ลำดับ', width: 80, align: 'right', render: (_, __, index) => index + 1 },
  { title: 'รหัส', width: 160, dataIndex: 'code' },
  { title: 'ชื่อที่ลูกค้าเห็น', render: (_, { name }) => <span className="strong">{name}</span> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 90,
    render: (_, method) => <EditButton name={method.name} onClick={() => onEdit(method)} />,
  },
]

const accountColumns = (
  bankMethod: string,
  onEdit: (account: ManagedAccount) => void,
): TableColumnsType<ManagedAccount> => [
  { title: 'ลำดับ', width: 64, align: 'right', render: (_, __, index) => index + 1 },
  { title: 'ช่องทางชำระเงิน', width: 130, render: () => bankMethod },
  { title: 'ธนาคาร', width: 110, dataIndex: 'bankName' },
  { title: 'เลขที่บัญชี', width: 130, render: (_, { accountNo }) => <span className="number">{accountNo}</span> },
  {
    title: 'ชื่อบัญชี',
    render: (_, { accountName, branch }) => (
      <TwoLines note={branch && `สาขา ${branch}`}>
        <b className="strong">{accountName}</b>
      </TwoLines>
    ),
  },
  {
    title: 'PromptPay',
    width: 150,
    render: (_, { promptPayId }) => <span className="number">{promptPayId ?? '–'}</span>,
  },
  { title: 'สถานะ', width: 90, render: (_, { isActive }) => <StatusChip isActived={isActive} /> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 76,
    render: (_, account) => (
      <EditButton name={`${account.bankName} ${account.accountNo}`} onClick={() => onEdit(account)} />
    ),
  },
]
