import { SALE_PERIOD, SALE_PERIODS } from '@shop/shared/dashboard/dashboard.ts'
import { exportSale, type SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { exportNameOf, saveFile } from '@shop/web/files.ts'
import { useIsFetching, useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { Download } from 'lucide-react'
import { useClient } from '../account/session.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlFilters } from '../ui/url-filters.ts'
import { CriteriaBar, criteriaFields, useCriteria } from './filters.tsx'
import { RevenueChart } from './revenue-chart.tsx'
import { Channels, GameRevenues, Resellers, TopPackages } from './sale-bars.tsx'
import { PackageLines, Shares } from './sale-charts.tsx'
import { Figures } from './sale-figures.tsx'
import { PackageTable } from './sale-table.tsx'
import './dashboard.css'

const fields = criteriaFields(SALE_PERIODS, 'last7days')
const isDashboard = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  String(queryKey[0]).startsWith('/romons.dashboard/')

/** Shows what the shop sold in a period. */
export function SaleScreen() {
  const { filters, change } = useUrlFilters(fields)
  const queries = useQueryClient()
  const isLoading = useIsFetching({ predicate: isDashboard }) > 0
  const { criteria, problem } = useCriteria(filters)
  return (
    <>
      <PageHead title="ยอดขาย">{criteria && <DownloadButton criteria={criteria} />}</PageHead>
      <CriteriaBar
        label="ตัวกรองยอดขาย"
        criteria={filters}
        periods={SALE_PERIOD}
        isLoading={isLoading}
        onChange={change}
        onReload={() => queries.invalidateQueries({ predicate: isDashboard })}
      />
      {criteria ? (
        <div className="dashboard">
          <Figures criteria={criteria} />
          <RevenueChart criteria={criteria} />
          <PackageLines criteria={criteria} />
          <Shares criteria={criteria} />
          <GameRevenues criteria={criteria} />
          <div className="beside-games">
            <TopPackages criteria={criteria} />
            <Channels criteria={criteria} />
          </div>
          <Resellers criteria={criteria} />
          <PackageTable criteria={criteria} />
        </div>
      ) : (
        <section className="card" aria-label="ยอดขาย">
          <NothingFound text={problem} />
        </section>
      )}
    </>
  )
}

function DownloadButton({ criteria }: { criteria: SaleFilter }) {
  const client = useClient()
  const { message } = App.useApp()
  const download = useMutation({
    mutationFn: () => client.call(exportSale, { query: criteria }),
    onSuccess: (file: Blob) => saveFile(file, exportNameOf(new Date())),
    onError: error => message.error({ content: `ดาวน์โหลดไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  return (
    <Button icon={<Download size={16} aria-hidden />} loading={download.isPending} onClick={() => download.mutate()}>
      ดาวน์โหลด CSV
    </Button>
  )
}
