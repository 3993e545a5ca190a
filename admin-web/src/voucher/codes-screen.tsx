import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { importCodes, listStock, type Stock } from '@shop/shared/voucher/endpoints.ts'
import { formatDay } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Tabs } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useClient, useMe } from '../account/session.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { choicesField, useUrlFilters } from '../ui/url-filters.ts'
import { BatchList } from './batch-list.tsx'
import { type CodeStep, CodeStepDialog } from './code-actions.tsx'
import { CodeList } from './code-list.tsx'
import { count } from './counts.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { StockMark } from './stock-screen.tsx'

/** The codes of the package in the address. */
export function CodesScreen() {
  const packageId = Number(useParams().packageId)
  if (!Number.isInteger(packageId) || packageId < 1) return <NotFoundScreen />
  return <Codes key={packageId} packageId={packageId} />
}

const TABS = ['codes', 'batches'] as const
const fields = { tab: choicesField(TABS, ['codes']) }

function Codes({ packageId }: { packageId: number }) {
  const client = useClient()
  const { filters, change } = useUrlFilters(fields)
  const { role } = useMe()
  const [isImporting, setImporting] = useState(false)
  const [step, setStep] = useState<CodeStep | null>(null)
  const found = useQuery(client.query(listStock, { query: { packageId: String(packageId) } }))
  const [stock] = found.data?.rows ?? []
  if (found.data && !stock) return <NotFoundScreen />
  const mayManage = can(role, importCodes.allow)
  return (
    <>
      <Link to="/management/codes" className="row back-link">
        <ArrowLeft size={16} aria-hidden />
        สต็อกรหัสทั้งหมด
      </Link>
      <PageHead title={stock?.packageName ?? 'รหัสของแพ็กเกจ'} about={stock?.gameName}>
        {stock && <StockMark stock={stock} />}
        {stock && mayManage && (
          <Button type="primary" onClick={() => setImporting(true)}>
            นำเข้ารหัส…
          </Button>
        )}
      </PageHead>
      <section className="card" aria-label="สรุปสต็อก">
        <div className="card-part">
          <Loaded query={found} rows={3}>
            {() => stock && <Facts facts={factsOf(stock)} />}
          </Loaded>
        </div>
      </section>
      <Tabs
        activeKey={filters.tab[0]}
        onChange={tab => change({ tab: [tab as (typeof TABS)[number]] })}
        items={[
          { key: 'codes', label: 'รหัส' },
          { key: 'batches', label: 'ชุดที่นำเข้า' },
        ]}
      />
      {filters.tab[0] === 'codes' ? (
        <CodeList packageId={packageId} onStep={setStep} />
      ) : (
        <BatchList packageId={packageId} onStep={setStep} />
      )}
      {isImporting && stock && <ImportDialog stock={stock} onClose={() => setImporting(false)} />}
      {step && <CodeStepDialog step={step} onClose={() => setStep(null)} />}
    </>
  )
}

const factsOf = (stock: Stock): Fact[] => [
  ['พร้อมขาย', `${count(stock.free)} รหัส`],
  stock.expired > 0 && ['หมดอายุแล้ว', `${count(stock.expired)} รหัส`],
  ['จองแล้ว · ขายแล้ว · ถอนแล้ว', `${count(stock.reserved)} · ${count(stock.sold)} · ${count(stock.withdrawn)}`],
  stock.soonestExpiry !== null && ['หมดอายุเร็วสุด', formatDay(stock.soonestExpiry)],
  stock.lowStock > 0 && ['เตือนเมื่อเหลือ', `${count(stock.lowStock)} รหัส`],
  stock.valueSatang !== null && ['มูลค่าตามทุน', `${formatBaht(stock.valueSatang)} บาท`],
]
