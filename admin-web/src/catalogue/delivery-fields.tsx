import { messageOf } from '@shop/shared/errors.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { getSupplier, listSupplierProducts } from '@shop/shared/supplier/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select, Switch } from 'antd'
import { useId } from 'react'
import { useClient } from '../account/session.tsx'
import { bahtText } from '../ui/baht-text.ts'
import { BahtInput } from './baht-input.tsx'
import type { DeliveryDraft } from './delivery-draft.ts'

/** Edits a package's cost, and whether a supplier delivers it automatically. */
export function DeliveryFields(props: {
  draft: DeliveryDraft
  problem: string | undefined
  onChange: (draft: DeliveryDraft) => void
}) {
  const { draft, problem, onChange } = props
  const id = useId()
  const client = useClient()
  const supplier = useQuery(client.query(getSupplier))
  const hasSupplier = Boolean(supplier.data?.name)
  const products = useQuery({ ...client.query(listSupplierProducts), enabled: hasSupplier, staleTime: 600_000 })
  const chosen = products.data?.find(({ sku }) => sku === draft.supplierSku)
  const change = (some: Partial<DeliveryDraft>) => onChange({ ...draft, ...some })
  const theirCost = chosen?.costSatang ?? null
  const isOtherCost = theirCost !== null && bahtText(theirCost) !== draft.cost.trim()
  return (
    <fieldset className="form-part delivery-fields">
      <legend>ต้นทุนและการเติม</legend>
      <div className="row delivery-row">
        <label className="small muted" htmlFor={`${id}-cost`}>
          ต้นทุนต่อชิ้น
        </label>
        <BahtInput
          id={`${id}-cost`}
          label="ต้นทุนต่อชิ้น"
          text={draft.cost}
          isInvalid={problem !== undefined}
          describedBy={problem && id}
          onChange={cost => change({ cost })}
        />
        {isOtherCost && (
          <Button type="link" size="small" onClick={() => change({ cost: bahtText(theirCost) })}>
            ใช้ราคาผู้จำหน่าย {formatBahtShort(theirCost)} บาท
          </Button>
        )}
        <span className="note muted">เห็นเฉพาะผู้จัดการขึ้นไป</span>
      </div>
      {hasSupplier ? (
        <div className="row delivery-row">
          <span className="small muted">สินค้าของผู้จำหน่าย</span>
          <Select
            aria-label="สินค้าของผู้จำหน่าย"
            className="grow"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="ไม่มี"
            loading={products.isPending}
            value={draft.supplierSku}
            options={products.data?.map(({ sku, name, costSatang }) => ({
              value: sku,
              label: `${name} (${sku})${costSatang === null ? '' : ` · ${formatBahtShort(costSatang)} บาท`}`,
            }))}
            onChange={sku => change({ supplierSku: sku ?? null, ...(!sku && { isAutomatic: false }) })}
          />
          <Switch
            aria-label="เติมอัตโนมัติ"
            checked={draft.isAutomatic}
            onChange={isAutomatic => change({ isAutomatic })}
          />
          <span className="small">เติมอัตโนมัติ</span>
        </div>
      ) : (
        <p className="note muted">ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ</p>
      )}
      {products.error && (
        <p className="note">
          {messageOf(products.error)}{' '}
          <Button type="link" size="small" onClick={() => products.refetch()}>
            ลองอีกครั้ง
          </Button>
        </p>
      )}
      {problem && (
        <div id={id} className="field-error" role="alert">
          {problem}
        </div>
      )}
    </fieldset>
  )
}
