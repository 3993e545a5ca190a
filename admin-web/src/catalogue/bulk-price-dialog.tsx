import { PAYMENT_METHOD, PRICE_CODES, type PriceCode } from '@shop/shared/catalogue/payment-method.ts'
import { dayAfter } from '@shop/web/dates.ts'
import { Button, Form, Input, Modal, Radio, Segmented, Select } from 'antd'
import { useState } from 'react'
import { DayInput } from '../ui/day-input.tsx'
import { applyText, BulkPreview } from './bulk-preview.tsx'
import { type BulkPriceValues, HOW, priceActionOf, sizeProblem } from './bulk-price.ts'
import { type BulkAction, type Chosen, useBulkChange } from './use-bulk-change.ts'

const paymentOptions = PRICE_CODES.map(value => ({ value, label: PAYMENT_METHOD[value].name }))
const howOptions = Object.entries(HOW).map(([value, { label }]) => ({ value, label }))

/** Changes the price of the selected packages, now or from a day on, after showing a preview. */
export function BulkPriceDialog(props: { chosen: Chosen; now: Date; onClose: (isDone?: boolean) => void }) {
  const { chosen, now, onClose } = props
  const [form] = Form.useForm<BulkPriceValues>()
  const [action, setAction] = useState<BulkAction | null>(null)
  const change = useBulkChange(chosen, action, () => onClose(true))
  return (
    <Modal
      open
      width={820}
      title={`เปลี่ยนราคา ${chosen.text}`}
      okText={action ? applyText(change) : 'ยืนยันเปลี่ยนราคา'}
      okButtonProps={{ disabled: !change.canApply, autoFocus: false }}
      cancelText="ยกเลิก"
      confirmLoading={change.isApplying}
      closable={!change.isApplying}
      keyboard={!change.isApplying}
      mask={{ closable: false }}
      onOk={change.apply}
      onCancel={() => onClose()}
    >
      <Form<BulkPriceValues>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ payment: 'bank', how: 'more', unit: 'baht', size: '', when: 'now', fromDay: null }}
        // Any edit discards the preview, so that the confirmed change is always the one shown.
        onValuesChange={() => setAction(null)}
        onFinish={values => setAction(priceActionOf(values))}
      >
        <ChangeFields tomorrow={dayAfter(now)} />
      </Form>
      {action?.kind === 'price' && (
        <BulkPreview change={change} onReplacePlanned={() => setAction({ ...action, replacesPlanned: true })} />
      )}
    </Modal>
  )
}

function ChangeFields({ tomorrow }: { tomorrow: string }) {
  const values: Partial<BulkPriceValues> = Form.useWatch((all: BulkPriceValues) => all) ?? {}
  const isSet = values.how === 'set'
  return (
    <>
      <div className="bulk-price">
        <Form.Item name="payment" label="ช่องทาง">
          <Select<PriceCode> options={paymentOptions} />
        </Form.Item>
        <Form.Item name="how" label="วิธีเปลี่ยน">
          <Select options={howOptions} />
        </Form.Item>
        <Form.Item
          name="size"
          label={isSet ? 'ราคาใหม่' : 'จำนวน'}
          dependencies={['how', 'unit']}
          rules={[
            ({ getFieldsValue }) => ({
              validator: async (_, size) => {
                const problem = sizeProblem({ ...getFieldsValue(), size })
                if (problem) throw new Error(problem)
              },
            }),
          ]}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            suffix={isSet || values.unit === 'baht' ? 'บาท' : '%'}
          />
        </Form.Item>
        {!isSet && (
          <Form.Item name="unit" label="หน่วย">
            <Segmented
              options={[
                { value: 'baht', label: 'บาท' },
                { value: 'percent', label: '%' },
              ]}
            />
          </Form.Item>
        )}
      </div>
      <div className="row is-top">
        <Form.Item name="when" label="มีผล">
          <Radio.Group
            options={[
              { value: 'now', label: 'ทันที' },
              { value: 'later', label: 'ตั้งแต่วันที่' },
            ]}
          />
        </Form.Item>
        {values.when === 'later' && (
          <Form.Item name="fromDay" label="วันที่มีผล (00:00 น.)" rules={[{ required: true, message: 'กรุณาเลือกวันที่มีผล' }]}>
            <FormDay min={tomorrow} />
          </Form.Item>
        )}
        <span className="grow" />
        <Button htmlType="submit" className="preview-button">
          ดูตัวอย่าง
        </Button>
      </div>
      <p className="note muted form-alert">ราคาใหม่ปัดเป็นจำนวนเต็มบาท ยังไม่มีอะไรเปลี่ยนจนกว่าจะกดยืนยัน</p>
    </>
  )
}

function FormDay(props: { min: string; value?: string | null; onChange?: (day: string | null) => void }) {
  const { min, value = null, onChange } = props
  return <DayInput label="วันที่มีผล" day={value} min={min} onChange={day => onChange?.(day)} />
}
