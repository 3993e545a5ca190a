import { DELIVERS, DELIVERS_KINDS, OWN_STOCK, sourceLabel } from '@shop/shared/catalogue/delivers.ts'
import { SUPPLIER_NAMES, type SupplierName } from '@shop/shared/provider-names.ts'
import { getSupplier } from '@shop/shared/supplier/endpoints.ts'
import { isOneOf } from '@shop/shared/table.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, Radio, Switch } from 'antd'
import { Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useClient } from '../account/session.tsx'
import { SortableList } from '../ui/sortable-list.tsx'
import { BahtInput } from './baht-input.tsx'
import { type DeliveryDraft, fieldOfDelivery, type Problems, sourcesToAdd, withSource } from './delivery-draft.ts'
import { SourceFields } from './source-fields.tsx'

interface Edited {
  draft: DeliveryDraft
  problems: Problems
  onChange: (draft: DeliveryDraft) => void
}

/** Edits a package's cost, what it delivers, from where, and what its buyers read about it. */
export function DeliveryFields(props: Edited) {
  const { draft, problems, onChange } = props
  const change = (some: Partial<DeliveryDraft>) => onChange({ ...draft, ...some })
  return (
    <fieldset className="form-part">
      <legend>ต้นทุนและการส่ง</legend>
      <Field name="cost" label="ต้นทุนต่อชิ้น" note="เห็นเฉพาะผู้จัดการขึ้นไป" problems={problems}>
        {field => <BahtInput {...field} label="ต้นทุนต่อชิ้น" text={draft.cost} onChange={cost => change({ cost })} />}
      </Field>
      <div className="row delivery-row">
        <span className="small muted">ส่งให้ลูกค้า</span>
        <Radio.Group
          aria-label="ส่งให้ลูกค้า"
          value={draft.delivers}
          options={DELIVERS_KINDS.map(value => ({ value, label: DELIVERS[value].label }))}
          onChange={event => change({ delivers: event.target.value })}
        />
      </div>
      <Sources {...props} />
      <Field name="isAutomatic" label="เติมอัตโนมัติ" note="ซื้อจากแหล่งสินค้าตามลำดับทันทีที่ได้รับเงิน" problems={problems}>
        {({ id, isInvalid, describedBy }) => (
          <Switch
            id={id}
            aria-label="เติมอัตโนมัติ"
            aria-invalid={isInvalid}
            aria-describedby={describedBy}
            checked={draft.isAutomatic}
            onChange={isAutomatic => change({ isAutomatic })}
          />
        )}
      </Field>
      <Field
        name="warning"
        label="คำเตือนก่อนจ่าย"
        note="ลูกค้าต้องติ๊กยอมรับก่อนจ่าย เว้นว่างถ้าไม่มี เช่น ใช้ได้เฉพาะบัญชีไทย"
        problems={problems}
      >
        {({ id, describedBy }) => (
          <Input
            id={id}
            aria-describedby={describedBy}
            maxLength={500}
            autoComplete="off"
            value={draft.warning}
            onChange={event => change({ warning: event.target.value })}
          />
        )}
      </Field>
      {draft.delivers === 'code' && <CodeFields {...props} />}
    </fieldset>
  )
}

/** What only packages with codes have. */
function CodeFields({ draft, problems, onChange }: Edited) {
  return (
    <>
      <Field name="redeemHelp" label="วิธีใช้รหัส" note="แสดงคู่กับรหัส หนึ่งขั้นตอนต่อบรรทัด" problems={problems}>
        {({ id, describedBy }) => (
          <Input.TextArea
            id={id}
            aria-describedby={describedBy}
            maxLength={2000}
            rows={3}
            value={draft.redeemHelp}
            onChange={event => onChange({ ...draft, redeemHelp: event.target.value })}
          />
        )}
      </Field>
      <Field
        name="lowStock"
        label="เตือนสต็อกใกล้หมด"
        note="แจ้งผู้จัดการเมื่อสต็อกของร้านเหลือน้อยกว่านี้ 0 คือไม่เตือน"
        problems={problems}
      >
        {({ id, isInvalid, describedBy }) => (
          <Input
            id={id}
            aria-invalid={isInvalid}
            aria-describedby={describedBy}
            status={isInvalid ? 'error' : undefined}
            inputMode="numeric"
            maxLength={5}
            suffix="ชิ้น"
            autoComplete="off"
            className="baht-input"
            value={draft.lowStock}
            onChange={event => onChange({ ...draft, lowStock: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

interface FieldMarks {
  id: string
  isInvalid: boolean
  describedBy: string | undefined
}

/** A label before a field, a note behind it, and what is wrong with it below. */
function Field(props: {
  name: keyof DeliveryDraft
  label: string
  note: string
  problems: Problems
  children: (marks: FieldMarks) => ReactNode
}) {
  const { name, label, note, problems, children } = props
  const id = useId()
  const problem = problems[fieldOfDelivery(name)]
  return (
    <div className="delivery-field">
      <div className="row delivery-row">
        <label className="small muted" htmlFor={id}>
          {label}
        </label>
        {children({ id, isInvalid: problem !== undefined, describedBy: problem ? `${id}-problem` : undefined })}
        <span className="note muted">{note}</span>
      </div>
      {problem && (
        <div id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </div>
      )}
    </div>
  )
}

const isSupplier = (name: string): name is SupplierName => isOneOf(SUPPLIER_NAMES, name)

/** The ordered list of where the goods come from. */
function Sources({ draft, problems, onChange }: Edited) {
  const client = useClient()
  const suppliers = useQuery(client.query(getSupplier))
  const known = (suppliers.data?.suppliers ?? []).map(({ name }) => name).filter(isSupplier)
  const { sources } = draft
  const put = (next: DeliveryDraft['sources']) =>
    onChange({ ...draft, sources: next, isAutomatic: draft.isAutomatic && next.length > 0 })
  const nothing =
    known.length === 0 && draft.delivers === 'top_up' && suppliers.data !== undefined
      ? 'ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ'
      : 'ไม่มี ทีมงานส่งเองทุกคำสั่งซื้อ'
  return (
    <section className="sources" aria-label="แหล่งสินค้า">
      <p className="small muted">แหล่งสินค้า ถามรายแรกก่อน รายถัดไปเมื่อรายก่อนหน้าไม่รับและยังไม่ได้ซื้อ</p>
      {sources.length === 0 ? (
        <p className="note muted">{nothing}</p>
      ) : (
        <SortableList
          name="แหล่งสินค้าตามลำดับ"
          items={sources.map((source, at) => ({ ...source, label: `แหล่งที่ ${at + 1} ${sourceLabel(source.supplier)}` }))}
          onChange={moved => put(moved.map(({ label: _, ...source }) => source))}
        >
          {({ label, ...source }) => (
            <SourceFields
              label={label}
              source={source}
              delivers={draft.delivers}
              isConfigured={source.supplier === OWN_STOCK || known.includes(source.supplier)}
              problems={problems}
              onChange={changed => put(sources.map(each => (each.id === source.id ? changed : each)))}
              onRemove={() => put(sources.filter(({ id }) => id !== source.id))}
              onTakeCost={cost => onChange({ ...draft, cost })}
            />
          )}
        </SortableList>
      )}
      <div className="row delivery-row">
        {sourcesToAdd(draft, known).map(name => (
          <Button
            key={name}
            icon={<Plus size={16} aria-hidden />}
            aria-label={`เพิ่มแหล่งสินค้า ${sourceLabel(name)}`}
            onClick={() => onChange(withSource(draft, name))}
          >
            {sourceLabel(name)}
          </Button>
        ))}
      </div>
    </section>
  )
}
