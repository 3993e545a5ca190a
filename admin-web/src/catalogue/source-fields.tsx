import { OWN_STOCK, sourceLabel } from '@shop/shared/catalogue/delivers.ts'
import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import { type ListedProduct, listSupplierProducts } from '@shop/shared/supplier/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { X } from 'lucide-react'
import { useId } from 'react'
import { useClient } from '../account/session.tsx'
import { bahtText } from '../ui/baht-text.ts'
import { BahtInput } from './baht-input.tsx'
import { fieldOfSource, type Problems, type SourceDraft } from './delivery-draft.ts'

/** For this long a supplier's list of products is not asked for again. */
const FRESH_MS = 600_000

interface Props {
  /** Its name for screen readers, with its place. */
  label: string
  source: SourceDraft
  delivers: ManagedPackage['delivers']
  isConfigured: boolean
  problems: Problems
  onChange: (source: SourceDraft) => void
  onRemove: () => void
  /** Takes the supplier's price as the package's cost. */
  onTakeCost: (cost: string) => void
}

/** One source: the product at its supplier, and the most that one piece may cost there. */
export function SourceFields(props: Props) {
  const { label, source, problems, onChange, onRemove } = props
  const id = useId()
  const wrongSku = problems[fieldOfSource(source.id, 'sku')]
  const wrongCost = problems[fieldOfSource(source.id, 'cost')]
  const marks = { isInvalid: wrongSku !== undefined, describedBy: wrongSku && `${id}-sku` }
  return (
    <div className="source grow">
      <div className="row delivery-row">
        <b className="source-name">{sourceLabel(source.supplier)}</b>
        {source.supplier === OWN_STOCK ? (
          <span className="grow small muted">รหัสที่นำเข้าไว้ ใช้ตัวที่หมดอายุก่อน</span>
        ) : (
          <>
            <ProductSelect {...props} supplier={source.supplier} {...marks} />
            <BahtInput
              label={`ซื้อไม่เกิน ${label}`}
              placeholder="ตามต้นทุน"
              text={source.cost}
              isInvalid={wrongCost !== undefined}
              describedBy={wrongCost && `${id}-cost`}
              onChange={cost => onChange({ ...source, cost })}
            />
          </>
        )}
        <Button type="text" icon={<X size={16} aria-hidden />} aria-label={`นำ ${label} ออก`} onClick={onRemove} />
      </div>
      {wrongSku && (
        <div id={`${id}-sku`} className="field-error" role="alert">
          {wrongSku}
        </div>
      )}
      {wrongCost && (
        <div id={`${id}-cost`} className="field-error" role="alert">
          {wrongCost}
        </div>
      )}
    </div>
  )
}

/** "60 UC (1001) · 31.50 บาท", with the supplier's own price where that is in another currency. */
function textOf({ sku, name, price, currency, costSatang, region, isInStock }: ListedProduct): string {
  const baht = costSatang === null ? null : `${formatBahtShort(costSatang)} บาท`
  const theirs = currency === 'THB' && baht !== null ? null : `${price} ${currency}`
  return [`${name} (${sku})`, region, theirs, baht, isInStock ? '' : 'หมด'].filter(Boolean).join(' · ')
}

/** Chooses one of the products that a supplier sells. */
function ProductSelect(props: Props & { supplier: SupplierName; isInvalid: boolean; describedBy: string | undefined }) {
  const { label, source, supplier, delivers, isConfigured, isInvalid, describedBy, onChange, onTakeCost } = props
  const client = useClient()
  const products = useQuery({
    ...client.query(listSupplierProducts, { query: { name: supplier } }),
    enabled: isConfigured,
    staleTime: FRESH_MS,
  })
  const listed = products.data?.filter(product => product.delivers === delivers) ?? []
  const chosen = listed.find(({ sku }) => sku === source.sku)
  const gone = source.sku !== '' && !chosen ? [{ value: source.sku, label: unlisted(source.sku, products.data) }] : []
  const options = [...gone, ...listed.map(product => ({ value: product.sku, label: textOf(product) }))]
  const { costSatang = null } = chosen ?? {}
  return (
    <>
      <Select
        aria-label={`สินค้าของ ${label}`}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        className="grow"
        showSearch={{ optionFilterProp: 'label' }}
        status={isInvalid ? 'error' : undefined}
        placeholder="เลือกสินค้า พิมพ์เพื่อค้นหา"
        notFoundContent={products.isPending ? 'กำลังโหลด' : 'ไม่พบสินค้า'}
        loading={isConfigured && products.isPending}
        value={source.sku || undefined}
        options={options}
        onChange={sku => onChange({ ...source, sku })}
      />
      {costSatang !== null && (
        <Button type="link" size="small" onClick={() => onTakeCost(bahtText(costSatang))}>
          ใช้ {formatBahtShort(costSatang)} บาทเป็นต้นทุน
        </Button>
      )}
      {!isConfigured && <span className="note is-bad">ยังไม่ได้เชื่อมต่อ จึงข้ามรายนี้</span>}
      {products.error && (
        <span className="note" role="alert">
          {messageOf(products.error)}{' '}
          <Button type="link" size="small" onClick={() => products.refetch()}>
            ลองอีกครั้ง
          </Button>
        </span>
      )}
    </>
  )
}

/** A product that is not in the list; while there is no list, nobody knows whether it still is. */
const unlisted = (sku: string, products: ListedProduct[] | undefined) => (products ? `${sku} (ไม่มีในรายการแล้ว)` : sku)
