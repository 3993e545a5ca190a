import { listManagedAccounts, type ManagedAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import { listManagedMethods, type ManagedMethod } from '@shop/shared/catalogue/method-endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType } from 'antd'
import { ArrowUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { StatusChip } from '../account/status-chip.tsx'
import { EditButton } from '../ui/edit-button.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { AccountDrawer } from './account-drawer.tsx'
import { ListCard } from './list-card.tsx'
import { MethodDrawer, MethodOrder } from './method-forms.tsx'
import {
  type GatewayTermsOf,
  gatewayTermsOf,
  MethodTermsDrawer,
  rangeText,
  surchargeText,
  whyNotSold,
} from './method-terms.tsx'

/** The payment methods, those of the payment gateway by themselves, and the bank accounts that customers transfer to. */
export function PaymentSection() {
  const client = useClient()
  const managed = useQuery(client.query(listManagedMethods))
  const all = managed.data?.methods ?? []
  const [isOrdering, setIsOrdering] = useState(false)
  const [method, setMethod] = useState<ManagedMethod | null>(null)
  const [terms, setTerms] = useState<GatewayTermsOf | null>(null)
  const [account, setAccount] = useState<ManagedAccount | 'new' | null>(null)
  const accounts = useQuery(client.query(listManagedAccounts))
  const bankMethod = all.find(({ code }) => code === 'bank')?.name ?? '–'
  return (
    <>
      <ListCard
        title="วิธีชำระเงิน"
        list={{ ...managed, data: managed.data?.methods } as UseQueryResult<ManagedMethod[]>}
        rowKey="code"
        columns={methodColumns(setMethod)}
        width={480}
        emptyText="ยังไม่มีวิธีชำระเงิน"
      >
        <Button
          icon={<ArrowUpDown size={16} aria-hidden />}
          disabled={!managed.data}
          onClick={() => setIsOrdering(true)}
        >
          จัดเรียงวิธีชำระเงิน
        </Button>
      </ListCard>
      {managed.data && <GatewayMethods {...managed.data} onEdit={setTerms} />}
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
      {isOrdering && <MethodOrder methods={all} onClose={() => setIsOrdering(false)} />}
      {method && <MethodDrawer method={method} methods={all} onClose={() => setMethod(null)} />}
      {terms && <MethodTermsDrawer method={terms} onClose={() => setTerms(null)} />}
      {account && <AccountDrawer account={account === 'new' ? null : account} onClose={() => setAccount(null)} />}
    </>
  )
}

const methodColumns = (onEdit: (method: ManagedMethod) => void): TableColumnsType<ManagedMethod> => [
  { title: 'ลำดับ', width: 80, align: 'right', render: (_, __, index) => index + 1 },
  { title: 'รหัส', width: 160, dataIndex: 'code' },
  { title: 'ชื่อที่ลูกค้าเห็น', render: (_, { name }) => <span className="strong">{name}</span> },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 90,
    render: (_, method) => <EditButton name={method.name} onClick={() => onEdit(method)} />,
  },
]

/** The methods of the payment gateway, each with the owner's terms. */
function GatewayMethods(props: Reply<typeof listManagedMethods> & { onEdit: (method: GatewayTermsOf) => void }) {
  const { gateway, methods, onEdit } = props
  const rows = methods.flatMap(method => gatewayTermsOf(method) ?? [])
  if (rows.length === 0) return null
  return (
    <section className="card list" aria-label="ชำระผ่านผู้ให้บริการ">
      <header>
        <h2 className="grow">ชำระผ่านผู้ให้บริการ</h2>
      </header>
      <p className="card-part note muted">
        {gateway
          ? `${gatewayLabel(gateway)} รับเงินแทนร้าน และแจ้งร้านเองเมื่อเงินเข้า ลูกค้าไม่ต้องส่งสลิป ราคาเดียวกับโอนเงินธนาคาร บวกค่าบริการที่ตั้งไว้`
          : 'ร้านยังไม่ได้ตั้งค่าผู้ให้บริการรับชำระเงิน จึงเปิดวิธีเหล่านี้ไม่ได้ ให้ผู้ดูแลเซิร์ฟเวอร์ตั้งค่า GATEWAY กับคีย์ของผู้ให้บริการก่อน'}
      </p>
      <Table<GatewayTermsOf>
        rowKey="code"
        dataSource={rows}
        columns={termsColumns(gateway, onEdit)}
        scroll={{ x: 800 }}
        pagination={false}
      />
    </section>
  )
}

const termsColumns = (
  gateway: GatewayName | null,
  onEdit: (method: GatewayTermsOf) => void,
): TableColumnsType<GatewayTermsOf> => [
  {
    title: 'วิธีชำระเงิน',
    render: (_, method) => (
      <TwoLines note={whyNotSold(method, gateway)}>
        <b className="strong">{method.name}</b>
      </TwoLines>
    ),
  },
  {
    title: 'ยอดต่ำสุด–สูงสุด (บาท)',
    width: 200,
    render: (_, method) => <span className="number">{rangeText(method)}</span>,
  },
  {
    title: 'ค่าบริการจากลูกค้า',
    width: 160,
    render: (_, { terms }) => <span className="number">{surchargeText(terms)}</span>,
  },
  { title: 'เวลาที่ใช้ได้', width: 130, render: (_, { terms }) => terms.openingHours || 'ตลอดเวลา' },
  {
    title: 'สถานะ',
    width: 90,
    render: (_, { terms, takes }) => <StatusChip isActived={terms.isOn && takes !== null} />,
  },
  {
    title: <span className="sr-only">จัดการ</span>,
    width: 76,
    render: (_, method) => <EditButton name={`เงื่อนไขของ ${method.name}`} onClick={() => onEdit(method)} />,
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
