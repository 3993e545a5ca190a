import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import {
  getSupplierSettings,
  type SupplierSettings,
  saveSupplier,
  testSupplier,
} from '@shop/shared/supplier/endpoints.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Switch } from 'antd'
import { useClient } from '../account/session.tsx'
import { amountRule, readAmount } from '../ui/baht-rules.ts'
import { bahtText } from '../ui/baht-text.ts'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'

/** The supplier that delivers orders automatically: its switch, the shop's balance there, and its last error. */
export function SupplierSection() {
  const client = useClient()
  const settings = useQuery(client.query(getSupplierSettings))
  const name = settings.data?.supplier?.name
  return (
    <section className="card" aria-label="ผู้จำหน่าย">
      <header>
        <h2 className="grow">ผู้จำหน่าย{name && ` ${supplierLabel(name)}`}</h2>
      </header>
      <Loaded query={settings}>
        {({ supplier }) => (
          <div className="card-part">
            {supplier ? (
              <Supplier supplier={supplier} />
            ) : (
              <p>ยังไม่ได้เชื่อมต่อผู้จำหน่าย ผู้ดูแลเซิร์ฟเวอร์ตั้งค่า SUPPLIER และคีย์ของผู้จำหน่ายก่อน</p>
            )}
          </div>
        )}
      </Loaded>
    </section>
  )
}

const VALIDATES = { none: 'ไม่มี', optional: 'มี', required: 'ต้องตรวจก่อนซื้อ' }
const CALLBACK = { none: 'ไม่มี', unsigned: 'มี ไม่ลงลายเซ็น', signed: 'มี ลงลายเซ็น' }

function Supplier({ supplier }: { supplier: SupplierSettings }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const reload = () => queries.invalidateQueries({ queryKey: [getSupplierSettings.path] })
  const test = useMutation({
    mutationFn: () => client.call(testSupplier, { body: {} }),
    onSuccess: () => message.success('ผู้จำหน่ายตอบแล้ว'),
    onSettled: reload,
  })
  const save = useMutation({
    mutationFn: (body: { isOn: boolean; lowBalanceSatang: number }) => client.call(saveSupplier, { body }),
    onSuccess: () => message.success('บันทึกการตั้งค่าผู้จำหน่ายแล้ว'),
    onError: error => message.error({ content: `บันทึกไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
    onSettled: reload,
  })
  const { isOn, stopped, balanceSatang, balanceAt, lowBalanceSatang, capabilities, waitingOrders } = supplier
  const { lastError, lastErrorAt } = supplier
  const isLow = balanceSatang !== null && balanceSatang < lowBalanceSatang
  const balance = balanceSatang !== null && `${formatBaht(balanceSatang)} บาท${isLow ? ' (ใกล้หมด)' : ''}`
  return (
    <div className="supplier">
      {stopped && (
        <Alert
          type="error"
          showIcon
          title={`หยุดอยู่: ${REJECTION[stopped.reason].text}`}
          description={`ตั้งแต่ ${formatDateTimeSeconds(stopped.at)} รออยู่ ${waitingOrders} คำสั่งซื้อ`}
          action={
            <Button loading={save.isPending} onClick={() => save.mutate({ isOn: true, lowBalanceSatang })}>
              เปิดอีกครั้ง
            </Button>
          }
        />
      )}
      {isLow && <Alert type="warning" showIcon title="เงินของร้านที่ผู้จำหน่ายใกล้หมด กรุณาเติมเงินกับผู้จำหน่าย" />}
      {test.error && <Alert type="error" showIcon title={messageOf(test.error)} />}
      <div className="row">
        <Switch
          aria-label="เติมผ่านผู้จำหน่าย"
          checked={isOn}
          loading={save.isPending}
          onChange={to => save.mutate({ isOn: to, lowBalanceSatang })}
        />
        <span className="grow">เติมผ่านผู้จำหน่าย {isOn ? 'เปิด' : 'ปิด'} (เฉพาะแพ็กเกจที่เปิดเติมอัตโนมัติ)</span>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          ทดสอบการเชื่อมต่อ
        </Button>
      </div>
      <Facts
        facts={[
          ['เงินคงเหลือ', balance],
          ['ทราบเมื่อ', balanceAt && formatDateTimeSeconds(balanceAt)],
          ['รอเติม', `${waitingOrders} คำสั่งซื้อ`],
          ['ปัญหาล่าสุด', lastError && `${lastError}${lastErrorAt ? ` · ${formatDateTimeSeconds(lastErrorAt)}` : ''}`],
          ['ตรวจชื่อผู้เล่น', VALIDATES[capabilities.validates]],
          ['แจ้งผลกลับ', CALLBACK[capabilities.callback]],
          ['กันเลขอ้างอิงซ้ำ', capabilities.refusesRepeats ? 'มี' : 'ไม่ยืนยัน ร้านจึงไม่ส่งคำสั่งเดิมซ้ำ'],
        ]}
      />
      <Form<{ low: string }>
        key={lowBalanceSatang}
        layout="inline"
        requiredMark={false}
        initialValues={{ low: bahtText(lowBalanceSatang) }}
        onFinish={({ low }) => save.mutate({ isOn, lowBalanceSatang: readAmount(low) })}
      >
        <Form.Item name="low" label="เตือนเมื่อเงินต่ำกว่า" rules={[amountRule('กรุณาใส่จำนวนเงิน')]}>
          <Input suffix="บาท" inputMode="decimal" autoComplete="off" style={{ width: 160 }} />
        </Form.Item>
        <Button htmlType="submit" loading={save.isPending}>
          บันทึก
        </Button>
      </Form>
    </div>
  )
}
