import { getCosts, listProductChanges, type ProductChangeView } from '@shop/shared/cost/endpoints.ts'
import { PRODUCT_CHANGE, PRODUCT_CHANGES, type ProductChangeKind } from '@shop/shared/cost/product-change.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { SUPPLIER_NAMES, type SupplierName, supplierLabel } from '@shop/shared/provider-names.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Select, Table, type TableColumnsType } from 'antd'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { DaysFilter } from '../audit/days-filter.tsx'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { ListSection } from '../ui/list-section.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { pagerOf } from '../ui/pager.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { choicesField, dayField, type Field, flagField, textField, useUrlFilters } from '../ui/url-filters.ts'
import { CostTroubles, PackageLink } from './cost-troubles.tsx'
import { ListsCard } from './lists-card.tsx'
import { RatesCard } from './rates-card.tsx'
import './cost.css'

const supplierField: Field<SupplierName | ''> = {
  read: ([name]) => SUPPLIER_NAMES.find(each => each === name) ?? '',
  write: name => (name ? [name] : []),
}
const fields = {
  supplier: supplierField,
  kind: choicesField(PRODUCT_CHANGES),
  product: textField,
  used: flagField,
  from: dayField,
  to: dayField,
}

const kindOptions = PRODUCT_CHANGES.map(value => ({ value, label: PRODUCT_CHANGE[value].label }))
const supplierOptions = SUPPLIER_NAMES.map(value => ({ value, label: supplierLabel(value) }))

/** What suppliers' products cost, how fresh that is, and what has changed. */
export function CostsScreen() {
  const client = useClient()
  const costs = useQuery(client.query(getCosts))
  return (
    <>
      <PageHead title="ต้นทุนผู้จำหน่าย" />
      <Loaded query={costs} rows={6}>
        {state => (
          <>
            <CostTroubles {...state} />
            <div className="cost-cards">
              <ListsCard lists={state.lists} />
              <RatesCard rates={state.rates} isBankAsked={state.isBankAsked} />
            </div>
          </>
        )}
      </Loaded>
      <Changes />
    </>
  )
}

function Changes() {
  const client = useClient()
  const { filters, isFiltered, change, reset } = useUrlFilters(fields, 20)
  const { supplier, kind, product, used, from, to, page, pageSize } = filters
  const query = {
    supplier: supplier || undefined,
    kind: kind.length > 0 ? kind : undefined,
    product: product || undefined,
    used: used ? 'true' : undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  }
  const list = useSteadyQuery(client.query(listProductChanges, { query: { ...query, page, pageSize } }))
  const nothing = isFiltered ? 'ไม่มีการเปลี่ยนแปลงตามตัวกรองนี้' : 'ยังไม่มีการเปลี่ยนแปลงที่ผู้จำหน่าย'
  return (
    <>
      <FilterBar label="ตัวกรองการเปลี่ยนแปลง" isFiltered={isFiltered} onReset={reset}>
        <DaysFilter from={from} to={to} onChange={change} />
        <ChoiceFilter
          label="ผู้จำหน่าย"
          all="ทุกผู้จำหน่าย"
          options={supplierOptions}
          chosen={supplier}
          width={160}
          onChange={chosen => change({ supplier: chosen })}
        />
        <Select<ProductChangeKind[]>
          mode="multiple"
          aria-label="ชนิดการเปลี่ยนแปลง"
          placeholder="ทุกชนิด"
          allowClear
          value={kind}
          options={kindOptions}
          maxTagCount="responsive"
          onChange={chosen => change({ kind: chosen })}
          style={{ width: 200 }}
        />
        <SearchInput label="ชื่อหรือรหัสสินค้า" value={product} width={190} onSearch={text => change({ product: text })} />
        <Checkbox checked={used} onChange={event => change({ used: event.target.checked })}>
          เฉพาะที่ร้านขาย
        </Checkbox>
      </FilterBar>
      <ListSection label="การเปลี่ยนแปลงที่ผู้จำหน่าย" query={list}>
        <Table<ProductChangeView>
          rowKey="id"
          dataSource={list.data?.rows}
          columns={columns}
          loading={list.isPending || list.isPlaceholderData}
          scroll={{ x: 980 }}
          sticky
          locale={{ emptyText: list.isPending ? ' ' : <NothingFound text={nothing} /> }}
          pagination={pagerOf(filters, list.data?.total ?? 0, change)}
        />
      </ListSection>
    </>
  )
}

const priceText = (price: string | null, currency: string) => (price === null ? '–' : `${price} ${currency}`)
const bahtOf = (satang: Satang | null) => (satang === null ? null : `${formatBaht(satang)} บาท`)

const columns: TableColumnsType<ProductChangeView> = [
  { title: 'เวลา', width: 160, className: 'number', render: (_, { at }) => formatDateTimeSeconds(at) },
  {
    title: 'สินค้า',
    render: (_, { name, supplier, sku }) => (
      <TwoLines note={`${supplierLabel(supplier)} · ${sku}`}>
        <span className="breakable">{name}</span>
      </TwoLines>
    ),
  },
  {
    title: 'การเปลี่ยนแปลง',
    width: 140,
    render: (_, { kind }) => (
      <span className={`tag is-${PRODUCT_CHANGE[kind].tone}`}>{PRODUCT_CHANGE[kind].label}</span>
    ),
  },
  {
    title: 'ราคาเดิม',
    align: 'right',
    width: 150,
    className: 'number',
    render: (_, { fromPrice, fromSatang, currency }) => (
      <TwoLines note={currency === 'THB' ? null : bahtOf(fromSatang)}>{priceText(fromPrice, currency)}</TwoLines>
    ),
  },
  {
    title: 'ราคาใหม่',
    align: 'right',
    width: 150,
    className: 'number',
    render: (_, { toPrice, toSatang, currency }) => (
      <TwoLines note={currency === 'THB' ? null : bahtOf(toSatang)}>{priceText(toPrice, currency)}</TwoLines>
    ),
  },
  {
    title: 'แพ็กเกจของร้าน',
    width: 220,
    render: (_, { packages }) =>
      packages.length === 0 ? (
        <span className="muted">ไม่ได้ขาย</span>
      ) : (
        packages.map(sold => (
          <div key={sold.id}>
            <PackageLink sold={sold} />
          </div>
        ))
      ),
  },
]
