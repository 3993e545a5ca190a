import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { importCodes, listStock, type Stock } from '@shop/shared/voucher/endpoints.ts'
import { EXPIRING_DAYS, isStockLow } from '@shop/shared/voucher/voucher.ts'
import { formatDay } from '@shop/web/dates.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useClient, useMe } from '../account/session.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { choicesField, textUpTo, useUrlFilters } from '../ui/url-filters.ts'
import { countColumns } from './counts.tsx'
import { ImportDialog } from './import-dialog.tsx'

const NEEDS = ['low', 'expiring'] as const
const needsOptions = [
  { value: 'low', label: 'ใกล้หมดหรือหมดแล้ว' },
  { value: 'expiring', label: `หมดอายุใน ${EXPIRING_DAYS} วัน` },
] as const satisfies { value: (typeof NEEDS)[number]; label: string }[]

const fields = { text: textUpTo(60), needs: choicesField(NEEDS) }

/** The packages that deliver codes, and how many codes of each the shop has. */
export function StockScreen() {
  const client = useClient()
  const { role } = useMe()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, 20)
  const [filled, setFilled] = useState<Stock | null>(null)
  const { text, needs, page, pageSize } = filters
  const list = useQuery({
    ...client.query(listStock, { query: { text: text || undefined, needs: needs[0], page, pageSize } }),
    placeholderData: keepPreviousData,
  })
  const isLoading = list.isPending || list.isPlaceholderData
  const columns = columnsOf(can(role, importCodes.allow) ? setFilled : null)
  return (
    <>
      <PageHead title="สต็อกรหัส" about="รหัสที่ร้านซื้อไว้ขาย แยกตามแพ็กเกจ" />
      <FilterBar label="ตัวกรองสต็อก" isFiltered={isFiltered} onReset={reset}>
        <SearchInput label="ชื่อแพ็กเกจหรือเกม" value={text} maxLength={60} onSearch={next => change({ text: next })} />
        <ChoiceFilter
          label="แพ็กเกจที่ต้องดูแล"
          all="ทุกแพ็กเกจ"
          options={needsOptions}
          chosen={needs[0] ?? ''}
          width={200}
          onChange={chosen => change({ needs: chosen ? [chosen] : [] })}
        />
      </FilterBar>
      <ListSection label="สต็อกรหัส" query={list}>
        <Table<Stock>
          rowKey="packageId"
          dataSource={list.data?.rows}
          columns={columns}
          loading={isLoading}
          scroll={{ x: 980 }}
          sticky
          locale={{ emptyText: isLoading ? ' ' : <NothingFound text={emptyText(isFiltered)} /> }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
      {filled && <ImportDialog stock={filled} onClose={() => setFilled(null)} />}
    </>
  )
}

const emptyText = (isFiltered: boolean) =>
  isFiltered ? 'ไม่มีแพ็กเกจตามตัวกรองนี้' : 'ยังไม่มีแพ็กเกจที่ส่งเป็นรหัส ตั้งได้ในหน้าเกมและแพ็กเกจ'

/** Why a package needs somebody; nothing where all is well. */
export function StockMark({ stock }: { stock: Stock }) {
  if (!stock.isActive) return <span className="tag">ปิดขาย</span>
  if (stock.isOut) return <span className="tag is-bad">หมด</span>
  if (isStockLow(stock)) return <span className="tag is-warn">ใกล้หมด</span>
  return null
}

function columnsOf(onImport: ((stock: Stock) => void) | null): TableColumnsType<Stock> {
  const seesCosts = onImport !== null
  return [
    {
      title: 'แพ็กเกจ',
      render: (_, stock) => (
        <>
          <div className="row">
            <Link className="strong breakable" to={`/management/codes/${stock.packageId}`}>
              {stock.packageName}
            </Link>
            <StockMark stock={stock} />
          </div>
          <div className="note muted">{stock.gameName}</div>
        </>
      ),
    },
    ...countColumns<Stock>(),
    {
      title: 'หมดอายุเร็วสุด',
      width: 140,
      render: (_, { soonestExpiry, expiring }) =>
        soonestExpiry ? (
          <>
            <div className="number">{formatDay(soonestExpiry)}</div>
            {expiring > 0 && <div className="note is-warn">ใกล้หมดอายุ {expiring}</div>}
          </>
        ) : (
          <span className="muted">–</span>
        ),
    },
    ...(seesCosts
      ? [
          {
            title: 'มูลค่าตามทุน (บาท)',
            align: 'right' as const,
            width: 150,
            render: (_: unknown, { valueSatang }: Stock) => (
              <span className="number">{valueSatang === null ? '–' : formatBaht(valueSatang)}</span>
            ),
          },
          {
            title: <span className="sr-only">จัดการ</span>,
            width: 140,
            render: (_: unknown, stock: Stock) => (
              <Button aria-label={`นำเข้ารหัส ${stock.packageName}`} onClick={() => onImport?.(stock)}>
                นำเข้ารหัส…
              </Button>
            ),
          },
        ]
      : []),
  ]
}
