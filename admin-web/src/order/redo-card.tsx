import {
  PLAYER_FIELD,
  type PlayerField,
  type PlayerFieldName,
  type PlayerValues,
} from '@shop/shared/catalogue/catalogue.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { listPlayerFields, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Form, Input, Select, Skeleton } from 'antd'
import { RotateCcw } from 'lucide-react'
import { useClient } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { LoadError } from '../ui/load-error.tsx'

type Typed = Partial<Record<PlayerFieldName, string>>
type Fields = StaffOrderView['fields']

const typedOf = (fields: Fields): Typed => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** Of an order whose top-up failed: whom to top up instead, as its buyer proposes or as staff know better. */
export function RedoCard({ order }: { order: StaffOrderView }) {
  return order.canRedo ? <Redo key={JSON.stringify(order.proposedFields)} order={order} /> : null
}

function Redo({ order }: { order: StaffOrderView }) {
  const client = useClient()
  const { orderNo, proposedFields } = order
  const { data: fields, error, refetch } = useQuery(client.query(listPlayerFields, { params: { orderNo } }))
  return (
    <section className="card-part" aria-label="เติมใหม่" style={{ borderTop: '1px solid var(--line)' }}>
      <h3 className="note muted">เติมใหม่ให้ข้อมูลผู้เล่นที่ถูกต้อง</h3>
      <p className="small" style={{ margin: '4px 0 12px' }}>
        {proposedFields ? (
          <>
            ลูกค้าแจ้งข้อมูลใหม่:{' '}
            <b className="strong number">{proposedFields.map(({ label, value }) => `${label} ${value}`).join(', ')}</b>
          </>
        ) : (
          'ลูกค้ายังไม่ได้แจ้งข้อมูลใหม่ ยืนยันกับลูกค้าก่อนแก้'
        )}
      </p>
      {error && <LoadError error={error} onRetry={refetch} />}
      {!fields && !error && <Skeleton active paragraph={{ rows: 2 }} />}
      {fields && <RedoForm orderNo={orderNo} fields={fields} typed={typedOf(proposedFields ?? order.fields)} />}
    </section>
  )
}

/** Typed as the game asks for it; what was typed stays when it is refused. */
function RedoForm({ orderNo, fields, typed }: { orderNo: string; fields: PlayerField[]; typed: Typed }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const redo = useMutation({
    mutationFn: (values: Typed) => {
      const named = Object.fromEntries(fields.map(({ name }) => [PLAYER_FIELD[name], values[name]?.trim()]))
      return client.call(redoOrder, { body: { orderNo, ...(named as PlayerValues) } })
    },
    onSuccess: () => {
      message.success(`ส่งกลับเข้าคิวแล้ว ${orderNo}`)
      return queries.invalidateQueries()
    },
  })
  return (
    <Form<Typed> layout="vertical" requiredMark={false} initialValues={typed} onFinish={values => redo.mutate(values)}>
      {fields.map(({ name, label, format }) => (
        <Form.Item
          key={name}
          name={name}
          label={label}
          style={{ marginBottom: 12 }}
          rules={[
            { required: true, whitespace: true, message: `กรุณากรอก ${label}` },
            {
              validator: async (_, value: string | undefined) => {
                const problem = value?.trim() && playerFormatProblem(format, value.trim())
                if (problem) throw new Error(problem)
              },
            },
          ]}
        >
          {format?.kind === 'choices' ? (
            <Select options={format.choices.map(value => ({ value, label: value }))} />
          ) : (
            <Input maxLength={100} autoComplete="off" className="number" />
          )}
        </Form.Item>
      ))}
      <FailureNote title={redo.error && !redo.isPending ? `บันทึกข้อมูลไม่สำเร็จ ${messageOf(redo.error)}` : null} />
      <Button type="primary" htmlType="submit" loading={redo.isPending} icon={<RotateCcw size={16} aria-hidden />}>
        เติมใหม่ ส่งกลับเข้าคิว
      </Button>
      <p className="note muted" style={{ marginTop: 8 }}>
        ไม่เก็บเงินเพิ่ม ใช้เงินของคำสั่งซื้อเดิม และบันทึกว่าใครแก้ข้อมูลจากอะไรเป็นอะไร
      </p>
    </Form>
  )
}
