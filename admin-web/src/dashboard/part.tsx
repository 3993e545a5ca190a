import type { Client } from '@shop/shared/client.ts'
import {
  type ChannelSales,
  getChannelSales,
  getDailyRevenue,
  getNumberOfSale,
  getResellerSales,
  getRevenueSteps,
  getSale,
  getSaleType,
  getTopPackages,
  type PackageSales,
  type PackageSums,
  type ResellerSales,
  type RevenueStep,
  type SaleFilter,
  type Share,
} from '@shop/shared/dashboard/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useClient } from '../account/session.tsx'
import { type Question, useSteadyQuery } from '../account/use-steady-query.ts'
import { LoadError } from '../ui/load-error.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'

/** The parts of the sales dashboard, with what each of them lists. */
interface Rows {
  revenue: RevenueStep
  lines: PackageSales
  shares: Share
  games: Reply<typeof getDailyRevenue>[number]
  top: PackageSums
  channels: ChannelSales
  resellers: ResellerSales
  table: PackageSums
}

interface PartEntry<Row> {
  title: string
  ask: (client: Client, body: SaleFilter) => Question<Row[]>
}

const PART: { [Kind in keyof Rows]: PartEntry<Rows[Kind]> } = {
  revenue: { title: 'รายได้ (บาท)', ask: (client, body) => client.query(getRevenueSteps, { body }) },
  lines: { title: 'จำนวนที่ขาย แยกตามแพ็กเกจ', ask: (client, body) => client.query(getSale, { body }) },
  shares: { title: 'สัดส่วนยอดขาย', ask: (client, body) => client.query(getSaleType, { body }) },
  games: { title: 'รายได้ตามเกม (บาท)', ask: (client, body) => client.query(getDailyRevenue, { body }) },
  top: { title: 'แพ็กเกจขายดี 3 อันดับ', ask: (client, body) => client.query(getTopPackages, { body }) },
  channels: { title: 'รายได้ตามช่องทาง (บาท)', ask: (client, body) => client.query(getChannelSales, { body }) },
  resellers: { title: 'รายได้ตามตัวแทน (บาท)', ask: (client, body) => client.query(getResellerSales, { body }) },
  table: { title: 'ยอดขายรายแพ็กเกจ', ask: (client, body) => client.query(getNumberOfSale, { body }) },
}

/** A card of the dashboard. It keeps its place while it loads, and when loading failed or nothing was sold. */
export function Part<Kind extends keyof Rows>(props: {
  kind: Kind
  criteria: SaleFilter
  extra?: ReactNode
  children: (rows: Rows[Kind][]) => ReactNode
}) {
  const { kind, criteria, extra, children } = props
  const { title, ask } = PART[kind]
  const query = useSteadyQuery(ask(useClient(), criteria))
  const { data, isError, error, isPlaceholderData, refetch } = query
  return (
    <section className={`card part is-${kind}`} aria-label={title} aria-busy={query.isFetching}>
      <header>
        <h2 className="grow">{title}</h2>
        {extra}
      </header>
      <div className={`part-body ${isPlaceholderData ? 'is-old' : ''}`}>
        {isError ? (
          <LoadError error={error} onRetry={refetch} />
        ) : data === undefined ? (
          <Skeleton active title={false} paragraph={{ rows: 5 }} />
        ) : data.length === 0 ? (
          <NothingFound text="ไม่พบข้อมูล" />
        ) : (
          children(data)
        )}
      </div>
    </section>
  )
}
