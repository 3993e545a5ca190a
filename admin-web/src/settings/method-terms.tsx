import {
  listManagedMethods,
  type ManagedMethod,
  MOST_SURCHARGE_BASIS_POINTS,
  MOST_SURCHARGE_SATANG,
  saveMethodTerms,
} from '@shop/shared/catalogue/method-endpoints.ts'
import { type GatewayMethod, isGatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { type ChargeLimits, limitsOf, type MethodTerms, surchargeOf } from '@shop/shared/gateway/gateway.ts'
import { formatBaht, formatBahtShort, type Satang, toDecimalText } from '@shop/shared/money.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import { keysOf } from '@shop/shared/table.ts'
import { HOURS } from '@shop/shared/time.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Switch } from 'antd'
import { useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { bahtText } from '../ui/baht-text.ts'
import { Conflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { showRefusal } from '../ui/form-errors.ts'
import { useSave } from '../ui/use-save.ts'

/** A method of the payment gateway with its terms. */
export interface GatewayTermsOf {
  code: GatewayMethod
  name: string
  terms: MethodTerms
  takes: ChargeLimits | null
}

/** Returns a method's terms; null for one of the shop's own. */
export const gatewayTermsOf = ({ code, name, gateway }: ManagedMethod): GatewayTermsOf | null =>
  gateway && isGatewayMethod(code) ? { code, name, ...gateway } : null

/** Hundredths of a per cent as people type per cents; '' for none. */
const percentText = (basisPoints: number) => (basisPoints === 0 ? '' : toDecimalText(basisPoints).replace(/\.?0+$/, ''))

/** Why customers are not offered a method whatever its terms are; null when they may be. */
export const whyNotSold = ({ takes }: Pick<GatewayTermsOf, 'takes'>, gateway: GatewayName | null): string | null =>
  gateway && !takes ? `${gatewayLabel(gateway)} ไม่รับวิธีนี้ ลูกค้าจึงไม่เห็น` : null

/** What a method costs the buyer, in words. */
export function surchargeText({ surchargeBasisPoints, surchargeSatang }: MethodTerms): string {
  const parts = [
    surchargeBasisPoints > 0 && `${percentText(surchargeBasisPoints)}%`,
    surchargeSatang > 0 && `${formatBahtShort(surchargeSatang)} บาท`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' + ') : 'ไม่คิด'
}

/** What an order may cost, within what both the gateway and the shop take. */
export function rangeText({ terms, takes }: Pick<GatewayTermsOf, 'terms' | 'takes'>): string {
  const { leastSatang, mostSatang } = takes ? limitsOf(terms, takes) : terms
  const part = (satang: Satang | null) => (satang === null ? '' : formatBahtShort(satang))
  return leastSatang === null && mostSatang === null ? '–' : `${part(leastSatang)}–${part(mostSatang)}`
}

/** The terms as they are typed. */
interface Values {
  isOn: boolean
  leastSatang: string
  mostSatang: string
  surchargeBasisPoints: string
  surchargeSatang: string
  openingHours: string
}

const LABEL: Record<keyof Values, string> = {
  isOn: 'เปิดให้ลูกค้าใช้',
  leastSatang: 'ยอดสั่งซื้อต่ำสุด (บาท)',
  mostSatang: 'ยอดสั่งซื้อสูงสุด (บาท)',
  surchargeBasisPoints: 'ค่าบริการจากลูกค้า (%)',
  surchargeSatang: 'ค่าบริการคงที่ (บาท)',
  openingHours: 'เวลาที่ใช้ได้',
}

const valuesOf = (terms: MethodTerms): Values => ({
  isOn: terms.isOn,
  leastSatang: bahtText(terms.leastSatang),
  mostSatang: bahtText(terms.mostSatang),
  surchargeBasisPoints: percentText(terms.surchargeBasisPoints),
  surchargeSatang: terms.surchargeSatang === 0 ? '' : bahtText(terms.surchargeSatang),
  openingHours: terms.openingHours,
})

/** An empty field means none. Per cents have two decimals at most, as baht do. */
const read = (text: string): number | null => (text.trim() === '' ? null : parseBaht(text.trim()))

const termsOf = (values: Values): MethodTerms => ({
  isOn: values.isOn,
  leastSatang: read(values.leastSatang),
  mostSatang: read(values.mostSatang),
  surchargeBasisPoints: read(values.surchargeBasisPoints) ?? 0,
  surchargeSatang: read(values.surchargeSatang) ?? 0,
  openingHours: values.openingHours.trim(),
})

const rule = (isRight: (text: string) => boolean, message: string) => ({
  validator: async (_: unknown, text: string) => {
    if (text.trim() && !isRight(text.trim())) throw new Error(message)
  },
})
const within = (least: number, most: number) => (text: string) => {
  const amount = parseBaht(text)
  return amount !== null && amount >= least && amount <= most
}
const AMOUNT = rule(within(1, Number.POSITIVE_INFINITY), 'กรุณากรอกจำนวนเงิน เช่น 100 หรือเว้นว่าง')
const PERCENT = rule(within(0, MOST_SURCHARGE_BASIS_POINTS), 'ไม่เกิน 10% ทศนิยมไม่เกินสองตำแหน่ง')
const FIXED = rule(within(0, MOST_SURCHARGE_SATANG), 'ไม่เกิน 100 บาท')
const TIMES = rule(text => HOURS.test(text), 'เวลาเปิด-ปิด เช่น 09:00-23:00')

/** Sets when and for what a method of the gateway may be used, and what it costs the buyer. */
export function MethodTermsDrawer({ method, onClose }: { method: GatewayTermsOf; onClose: () => void }) {
  const { code, name, takes } = method
  const queries = useQueryClient()
  const [form] = Form.useForm<Values>()
  const [isChanged, setIsChanged] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { save: send, tellSaved } = useUndoable()
  const saving = useSave<MethodTerms, MethodTerms>({
    record: method.terms,
    send: (terms, over) => send(saveMethodTerms, { body: { code, terms, seen: over! } }),
    onSaved: () => {
      tellSaved(`บันทึกเงื่อนไขของ ${name} สำเร็จ`)
      onClose()
    },
    onRefused: error => setFailure(showRefusal(form, error)),
    onSettled: () => queries.invalidateQueries({ queryKey: [listManagedMethods.path] }),
  })
  const { theirs, by, isSaving } = saving
  const submit = (values: Values) => {
    setFailure(null)
    saving.save(termsOf(values), theirs ?? saving.base)
  }
  return (
    <FormDrawer
      title={`เงื่อนไขของ ${name}`}
      width={480}
      isSaving={isSaving}
      isChanged={isChanged}
      failure={failure}
      onSave={form.submit}
      onClose={onClose}
    >
      {theirs && (
        <Conflict
          by={by}
          differences={differencesOf(valuesOf(theirs), form.getFieldsValue())}
          isSaving={isSaving}
          onTakeTheirs={() => {
            form.setFieldsValue(valuesOf(theirs))
            saving.takeTheirs(theirs)
          }}
          onKeepMine={form.submit}
        />
      )}
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={valuesOf(method.terms)}
        onValuesChange={() => setIsChanged(true)}
        onFinish={submit}
      >
        <TermsFields takes={takes} />
        <button type="submit" hidden />
      </Form>
    </FormDrawer>
  )
}

function differencesOf(theirs: Values, mine: Values) {
  const told = (value: string | boolean) => (typeof value === 'string' ? value || '(ว่าง)' : value ? 'เปิด' : 'ปิด')
  return keysOf(LABEL).map(field => ({
    label: LABEL[field],
    theirs: told(theirs[field]),
    mine: told(mine[field]),
  }))
}

/** The price of the example that says what a surcharge means. */
const EXAMPLE_SATANG = 100_00

function TermsFields({ takes }: { takes: ChargeLimits | null }) {
  // Empty until the fields are there.
  const values = Form.useWatch((all: Partial<Values>) => all, Form.useFormInstance<Values>())
  const isThere = (all: Partial<Values> | undefined): all is Values => all?.openingHours !== undefined
  const paid = EXAMPLE_SATANG + (isThere(values) ? surchargeOf(termsOf(values), EXAMPLE_SATANG) : 0)
  return (
    <>
      <Form.Item
        name="isOn"
        label={LABEL.isOn}
        valuePropName="checked"
        extra={takes ? undefined : 'ร้านยังไม่ได้ตั้งค่าผู้ให้บริการที่รับวิธีนี้ จึงยังเปิดไม่ได้'}
      >
        <Switch />
      </Form.Item>
      <Form.Item
        name="leastSatang"
        label={LABEL.leastSatang}
        rules={[AMOUNT]}
        extra={takes && `ผู้ให้บริการรับตั้งแต่ ${formatBahtShort(takes.leastSatang)} บาท เว้นว่างไว้หากใช้ตามนั้น`}
      >
        <Input inputMode="decimal" maxLength={15} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="mostSatang"
        label={LABEL.mostSatang}
        rules={[AMOUNT]}
        extra={takes && `ผู้ให้บริการรับไม่เกิน ${formatBahtShort(takes.mostSatang)} บาท เว้นว่างไว้หากใช้ตามนั้น`}
      >
        <Input inputMode="decimal" maxLength={15} autoComplete="off" />
      </Form.Item>
      <Form.Item name="surchargeBasisPoints" label={LABEL.surchargeBasisPoints} rules={[PERCENT]}>
        <Input inputMode="decimal" maxLength={6} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="surchargeSatang"
        label={LABEL.surchargeSatang}
        rules={[FIXED]}
        extra={`ลูกค้าเห็นค่าบริการก่อนจ่าย และจ่ายเพิ่มจากราคา เช่น ราคา 100 บาท ลูกค้าจ่าย ${formatBaht(paid)} บาท มีผลกับการชำระครั้งใหม่`}
      >
        <Input inputMode="decimal" maxLength={6} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="openingHours"
        label={LABEL.openingHours}
        rules={[TIMES]}
        extra="เวลาประเทศไทย เช่น 09:00-23:00 เว้นว่างไว้หากใช้ได้ตลอดเวลา"
      >
        <Input maxLength={11} autoComplete="off" />
      </Form.Item>
    </>
  )
}
