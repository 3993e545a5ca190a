import { type ManagedGame, type ManagedPackage, savePackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { PAYMENT_METHOD, PRICE_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { defaultPrice, priceFaultNow } from '@shop/shared/catalogue/price-editing.ts'
import { packageSaleOf, saleGapText } from '@shop/shared/catalogue/sale-state.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { commaQuestion } from '@shop/shared/typed-baht.ts'
import { Button, Form, Input } from 'antd'
import { useRef, useState } from 'react'
import { useUndoable } from '../audit/use-undoable.tsx'
import { DayInput } from '../ui/day-input.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { required } from '../ui/form-errors.ts'
import { useFormSave } from '../ui/use-save.ts'
import { costProblem } from './delivery-draft.ts'
import { type NewPackage, newCostOf, newPricesOf } from './new-package.ts'
import { soldAs } from './package-sale.ts'
import { useCatalogueChanged } from './use-catalogue-changed.ts'
import { useLossQuestion } from './use-loss-question.ts'

/** Adds packages to a game with their prices, one after the other. */
export function NewPackageDrawer({ game, now, onClose }: { game: ManagedGame; now: Date; onClose: () => void }) {
  const [form] = Form.useForm<NewPackage>()
  const { save, tellSaved } = useUndoable()
  const askLoss = useLossQuestion()
  const [added, setAdded] = useState<ManagedPackage[]>([])
  const goesOn = useRef(false)
  const edit = useFormSave<NewPackage, ManagedPackage>({
    form,
    record: null,
    valuesOf: () => form.getFieldsValue(),
    send: ({ name, desc, ...values }) =>
      save(savePackage, {
        body: {
          gameId: game.id,
          name,
          desc,
          isActive: true,
          prices: newPricesOf(values),
          costSatang: newCostOf(values),
        },
      }),
    onSaved: made => {
      const { gap, fromDay } = packageSaleOf(soldAs(made), now)
      tellSaved(`บันทึก ${made.name} สำเร็จ${gap ? ` · ${saleGapText(gap, fromDay)}` : ''}`, { isNew: true })
      if (!goesOn.current) return onClose()
      setAdded([...added, made])
      edit.startAgain(['name', 'desc', 'cost', ...PRICE_CODES])
      form.focusField('name')
    },
    onSettled: useCatalogueChanged(),
  })
  const start = (isMore: boolean) => {
    goesOn.current = isMore
    form.submit()
  }
  return (
    <FormDrawer
      title={`เพิ่มแพ็กเกจ ${game.name}`}
      width={600}
      isSaving={edit.isSaving}
      isChanged={edit.isChanged}
      failure={edit.failure}
      onSave={() => start(false)}
      onClose={onClose}
      actions={
        <Button disabled={edit.isSaving} onClick={() => start(true)}>
          บันทึกและเพิ่มอีก
        </Button>
      }
    >
      <Form<NewPackage>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={startOf(now)}
        onValuesChange={edit.noteChange}
        onFinish={values => askLoss(newPricesOf(values), newCostOf(values), () => edit.save(values))}
      >
        <Form.Item name="name" label="ชื่อแพ็กเกจ" rules={[required('กรุณากรอกชื่อแพ็กเกจ')]}>
          <Input autoFocus maxLength={100} autoComplete="off" placeholder="เช่น 325 UC" />
        </Form.Item>
        <Form.Item name="desc" label="คำอธิบาย (ไม่บังคับ)" extra="ลูกค้าเห็นใต้ชื่อแพ็กเกจในหน้าซื้อ">
          <Input maxLength={500} autoComplete="off" />
        </Form.Item>
        <PriceFields now={now} />
        <button type="submit" hidden />
      </Form>
      {added.length > 0 && (
        <p className="small muted" role="status">
          เพิ่มแล้ว {added.map(({ name }) => name).join(' · ')}
        </p>
      )}
    </FormDrawer>
  )
}

/** The sale of a new package begins today and ends like every new price. */
function startOf(now: Date): NewPackage {
  const { startDay, endDay } = defaultPrice('bank', now)
  return { name: '', desc: '', bank: '', wallet: '', cost: '', startDay, endDay }
}

function PriceFields({ now }: { now: Date }) {
  const today = bangkokDay(now)
  const startDay = Form.useWatch('startDay')
  return (
    <>
      <div className="field-triple">
        {PRICE_CODES.map(code => (
          <Form.Item
            key={code}
            name={code}
            label={`ราคา ${PAYMENT_METHOD[code].name}`}
            dependencies={['startDay', 'endDay']}
            rules={[
              ({ getFieldsValue }) => ({
                validator: async (_, text: string) => {
                  const asked = commaQuestion(text)
                  const edit = newPricesOf(getFieldsValue()).find(({ payment }) => payment === code)
                  const problem = asked ?? (edit && priceFaultNow(edit, undefined, now)?.text)
                  if (problem) throw new Error(problem)
                },
              }),
            ]}
          >
            <Input inputMode="decimal" autoComplete="off" maxLength={12} suffix="บาท" />
          </Form.Item>
        ))}
        <Form.Item
          name="cost"
          label="ต้นทุน (ไม่บังคับ)"
          rules={[
            {
              validator: async (_, text: string) => {
                const problem = costProblem(text)
                if (problem) throw new Error(problem)
              },
            },
          ]}
        >
          <Input inputMode="decimal" autoComplete="off" maxLength={12} suffix="บาท" />
        </Form.Item>
      </div>
      <div className="field-triple">
        <Form.Item name="startDay" label="ขายตั้งแต่" trigger="onChange">
          <FormDay label="ขายตั้งแต่" min={today} none="เลือกวันที่" />
        </Form.Item>
        <Form.Item name="endDay" label="ถึงสิ้นวันที่" trigger="onChange">
          <FormDay label="ถึงสิ้นวันที่" min={startDay && startDay > today ? startDay : today} none="ไม่มีกำหนด" />
        </Form.Item>
      </div>
      <p className="note muted">ใส่ราคาแล้วขายทันทีตามช่วงวันนี้ เว้นว่างไว้คือไม่ขายทางช่องทางนั้น ตั้งราคาภายหลังได้</p>
    </>
  )
}

function FormDay(props: {
  label: string
  min: string
  none: string
  value?: string | null
  onChange?: (day: string | null) => void
}) {
  const { value = null, onChange, ...rest } = props
  return <DayInput {...rest} day={value} onChange={day => onChange?.(day)} />
}
