import { DELIVERS } from '@shop/shared/catalogue/delivers.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import {
  getSupplierHealth,
  getSupplierSettings,
  type SupplierSettings,
  saveSupplier,
  testSupplier,
} from '@shop/shared/supplier/endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Switch } from 'antd'
import { Link } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { StandingTag, UNKNOWN } from '../supplier/standing.tsx'
import { amountRule, readAmount } from '../ui/baht-rules.ts'
import { bahtText } from '../ui/baht-text.ts'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'

/** The suppliers that deliver orders automatically: their switches, the shop's balance with each, and their last errors. */
export function SupplierSection() {
  const client = useClient()
  const settings = useQuery(client.query(getSupplierSettings))
  return (
    <Loaded query={settings} rows={6}>
      {({ suppliers, waitingOrders }) =>
        suppliers.length === 0 ? (
          <section className="card" aria-label="ผู้จำหน่าย">
            <NothingFound text="ยังไม่ได้เชื่อมต่อผู้จำหน่าย ทีมงานเติมเองทุกคำสั่งซื้อ">
              <p className="note muted">
                ผู้ดูแลเซิร์ฟเวอร์ใส่ชื่อผู้จำหน่ายใน SUPPLIER (หลายรายคั่นด้วยจุลภาค) พร้อมคีย์ของแต่ละราย แล้วจะเห็นที่หน้านี้
              </p>
            </NothingFound>
          </section>
        ) : (
          <div className="supplier">
            <p className="muted">
              ซื้อเฉพาะแพ็กเกจที่เปิดเติมอัตโนมัติ ตามลำดับแหล่งสินค้าของแพ็กเกจ · รอเติม {waitingOrders} คำสั่งซื้อ ·{' '}
              <Link to={STAFF_PAGE.suppliers.path}>{STAFF_PAGE.suppliers.title}</Link>
            </p>
            {suppliers.map(supplier => (
              <Supplier key={supplier.name} supplier={supplier} />
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

const VALIDATES = { none: 'ไม่มี', optional: 'มี', required: 'ต้องตรวจก่อนซื้อ' }
const CALLBACK = { none: 'ไม่มี ร้านถามเอง', unsigned: 'มี ไม่ลงลายเซ็น', signed: 'มี ลงลายเซ็น' }

function useSupplier({ name }: SupplierSettings) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const reload = () =>
    Promise.all(
      [getSupplierSettings, getSupplierHealth].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
    )
  const label = supplierLabel(name)
  const test = useMutation({
    mutationFn: () => client.call(testSupplier, { body: { name } }),
    onSuccess: () => message.success(`${label} ตอบแล้ว`),
    onSettled: reload,
  })
  const save = useMutation({
    mutationFn: (change: { isOn: boolean; lowBalanceSatang: number }) =>
      client.call(saveSupplier, { body: { name, ...change } }),
    onSuccess: () => message.success(`บันทึกการตั้งค่า ${label} แล้ว`),
    onError: error => message.error({ content: `บันทึกไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
    onSettled: reload,
  })
  return { label, test, save }
}

function Supplier({ supplier }: { supplier: SupplierSettings }) {
  const { label, test, save } = useSupplier(supplier)
  const { isOn, stopped, brokenUntil, balanceSatang, lowBalanceSatang } = supplier
  const isLow = balanceSatang !== null && balanceSatang < lowBalanceSatang
  const again = (
    <Button loading={save.isPending} onClick={() => save.mutate({ isOn: true, lowBalanceSatang })}>
      เปิดอีกครั้ง
    </Button>
  )
  return (
    <section className="card" aria-label={label}>
      <header className="row">
        <h2 className="grow">{label}</h2>
        <StandingTag supplier={supplier} />
      </header>
      <div className="card-part supplier">
        {stopped && (
          <Alert
            type="error"
            showIcon
            title={`ร้านหยุดซื้อจาก ${label} ตั้งแต่ ${formatDateTimeSeconds(stopped.at)}`}
            description="เมื่อแก้สาเหตุแล้วให้เปิดอีกครั้ง คำสั่งซื้อที่รอจะไปต่อเอง"
            action={again}
          />
        )}
        {isOn && brokenUntil && (
          <Alert type="warning" showIcon title="พักซื้อชั่วคราวเพราะตอบไม่แน่นอนหลายครั้ง จะกลับมาซื้อเอง" action={again} />
        )}
        {isLow && <Alert type="warning" showIcon title={`เงินของร้านที่ ${label} ใกล้หมด กรุณาเติมเงิน`} />}
        {test.error && <Alert type="error" showIcon title={messageOf(test.error)} />}
        <div className="row supplier-row">
          <Switch
            aria-label={`ซื้อจาก ${label}`}
            checked={isOn}
            loading={save.isPending}
            onChange={to => save.mutate({ isOn: to, lowBalanceSatang })}
          />
          <span className="grow">ซื้อจาก {label}</span>
          <Button loading={test.isPending} aria-label={`ทดสอบการเชื่อมต่อ ${label}`} onClick={() => test.mutate()}>
            ทดสอบการเชื่อมต่อ
          </Button>
        </div>
        <SupplierFacts supplier={supplier} isLow={isLow} />
        <Form<{ low: string }>
          key={lowBalanceSatang}
          // Each card has such a field, and its label finds it by the form's name.
          name={`supplier-${supplier.name}`}
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
    </section>
  )
}

function SupplierFacts({ supplier, isLow }: { supplier: SupplierSettings; isLow: boolean }) {
  const { balanceSatang, balanceAt, capabilities, lastError, lastErrorAt, lastCallbackAt } = supplier
  const { delivers, mostPieces, validates, callback, refusesRepeats, currency } = capabilities
  const kinds = delivers.map(kind => DELIVERS[kind].label).join(', ')
  const callbackAt = callback !== 'none' && lastCallbackAt ? ` · ล่าสุด ${formatDateTimeSeconds(lastCallbackAt)}` : ''
  return (
    <Facts
      facts={[
        ['เงินคงเหลือ', balanceSatang === null ? UNKNOWN : `${formatBaht(balanceSatang)} บาท${isLow ? ' (ใกล้หมด)' : ''}`],
        ['ทราบเมื่อ', balanceAt && formatDateTimeSeconds(balanceAt)],
        ['ปัญหาล่าสุด', lastError && `${lastError}${lastErrorAt ? ` · ${formatDateTimeSeconds(lastErrorAt)}` : ''}`],
        ['ส่งได้', `${kinds}${mostPieces === null ? '' : ` · ครั้งละไม่เกิน ${mostPieces} ชิ้น`}`],
        ['สกุลเงิน', currency],
        ['ตรวจชื่อผู้เล่น', VALIDATES[validates]],
        ['แจ้งผลกลับ', CALLBACK[callback] + callbackAt],
        ['กันเลขอ้างอิงซ้ำ', refusesRepeats ? 'มี' : 'ไม่ยืนยัน ร้านจึงไม่ส่งคำสั่งเดิมซ้ำ'],
      ]}
    />
  )
}
