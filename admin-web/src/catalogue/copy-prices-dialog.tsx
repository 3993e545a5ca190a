import { copyPrices } from '@shop/shared/catalogue/bulk-endpoints.ts'
import { listManagedPackages, type ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { Form, Modal, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useSteadyQuery } from '../account/use-steady-query.ts'
import { useUndoable } from '../audit/use-undoable.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { PaymentTag } from './payment-tag.tsx'
import { priceText } from './price-rows.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

const MOST_TARGETS = 100

/** Gives other packages the prices of this one; packages selected in the list are filled in already. */
export function CopyPricesDialog(props: {
  source: ManagedPackage
  selected: ManagedPackage[]
  onClose: (isDone?: boolean) => void
}) {
  const { source, selected, onClose } = props
  const { save, tellSaved } = useUndoable()
  const [targets, setTargets] = useState(() =>
    selected.filter(({ id }) => id !== source.id).map(({ id, name }) => ({ value: id, label: name })),
  )
  const copy = useMutation({
    mutationFn: () =>
      save(copyPrices, { body: { fromPackageId: source.id, toPackageIds: targets.map(({ value }) => value) } }),
    onSuccess: ({ changed }) => {
      tellSaved(`คัดลอกราคาไป ${changed} แพ็กเกจสำเร็จ`)
      onClose(true)
    },
    onSettled: useCatalogueChanged(),
  })
  const isTooMany = targets.length > MOST_TARGETS
  return (
    <Modal
      open
      width={640}
      title={`คัดลอกราคาจาก ${source.name}`}
      okText={`คัดลอกไป ${targets.length} แพ็กเกจ`}
      okButtonProps={{
        disabled: targets.length === 0 || isTooMany || source.masterPackage.length === 0,
        autoFocus: false,
      }}
      cancelText="ยกเลิก"
      confirmLoading={copy.isPending}
      closable={!copy.isPending}
      keyboard={!copy.isPending}
      mask={{ closable: false }}
      onOk={() => copy.mutate()}
      onCancel={() => onClose()}
    >
      <FailureNote title={copy.error && 'คัดลอกราคาไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={messageOf(copy.error)} />
      <div className="copied-prices">
        {source.masterPackage.map(price => (
          <div key={price.payment}>
            <PaymentTag payment={price.payment} /> {priceText(price)}
          </div>
        ))}
        {source.masterPackage.length === 0 && 'แพ็กเกจนี้ยังไม่มีราคา'}
      </div>
      <Form layout="vertical">
        <Form.Item
          label="ไปยังแพ็กเกจ"
          htmlFor="copy-targets"
          validateStatus={isTooMany ? 'error' : undefined}
          help={isTooMany ? `คัดลอกได้ครั้งละ ${MOST_TARGETS} แพ็กเกจ` : undefined}
          extra="ราคาเดิมของแพ็กเกจเหล่านี้จะถูกแทนที่ทุกช่องทางที่มีด้านบน ย้อนกลับได้จากบันทึกการแก้ไข"
          style={{ marginBottom: 0 }}
        >
          <TargetSelect source={source} chosen={targets} onChange={setTargets} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

interface Target {
  value: number
  label: string
}

/** Searches packages of the same game while a name is typed. */
function TargetSelect(props: { source: ManagedPackage; chosen: Target[]; onChange: (chosen: Target[]) => void }) {
  const { source, chosen, onChange } = props
  const client = useClient()
  const [name, setName] = useState('')
  const asked = useDeferredValue(name.trim())
  const found = useSteadyQuery(
    client.query(listManagedPackages, {
      params: { gameId: source.gameId },
      query: { name: asked || undefined, pageSize: 50 },
    }),
  )
  return (
    <Select<Target[]>
      id="copy-targets"
      mode="multiple"
      labelInValue
      showSearch={{ filterOption: false, onSearch: setName }}
      placeholder="ค้นหาชื่อแพ็กเกจ"
      maxTagCount={20}
      loading={found.isFetching}
      value={chosen}
      options={found.data?.rows
        .filter(({ id }) => id !== source.id)
        .map(({ id, name: label }) => ({ value: id, label }))}
      notFoundContent={found.isError ? <span role="alert">ค้นหาไม่สำเร็จ</span> : 'ไม่พบแพ็กเกจ'}
      onChange={onChange}
    />
  )
}
