import {
  NO_PLAYER,
  PLAYER_FIELD,
  type PlayerField,
  type PlayerFieldName,
  type PlayerValues,
} from '@shop/shared/catalogue/catalogue.ts'
import { playerFormatProblem, readPlayerValue } from '@shop/shared/catalogue/player-format.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { isForPlayer } from '@shop/shared/order/correction.ts'
import { listPlayerFields, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { can } from '@shop/shared/permissions.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Form, Input, Radio, Select } from 'antd'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { required } from '../ui/form-errors.ts'
import { Loaded } from '../ui/loaded.tsx'

type Typed = Partial<Record<PlayerFieldName, string>>
type Fields = StaffOrderView['fields']

const typedOf = (fields: Fields): Typed => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** Sends an order that failed back to the queue: for the player the buyer proposes, the same or another; codes for none. */
export function RedoCard({ order }: { order: StaffOrderView }) {
  const { role } = useMe()
  if (!order.canRedo || !can(role, redoOrder.allow)) return null
  return isForPlayer(order) ? (
    <Redo key={JSON.stringify(order.proposedFields)} order={order} />
  ) : (
    <RedoCodes {...order} />
  )
}

const RedoCodes = ({ orderNo }: StaffOrderView) => (
  <section className="card-part" aria-label="ส่งรหัสใหม่">
    <h3 className="note muted">ส่งรหัสใหม่</h3>
    <RedoForm orderNo={orderNo} fields={[]} typed={{}} isOther={false} />
  </section>
)

type Choice = 'proposed' | 'same' | 'other'

const shown = (fields: Fields) => fields.map(({ label, value }) => `${label} ${value}`).join(', ')

function Redo({ order }: { order: StaffOrderView }) {
  const client = useClient()
  const { role } = useMe()
  const { orderNo, proposedFields } = order
  const [choice, setChoice] = useState<Choice>(proposedFields ? 'proposed' : 'same')
  const playerFields = useQuery(client.query(listPlayerFields, { params: { orderNo } }))
  const mayTakeOther = can(role, 'order.redoToOther')
  return (
    <section className="card-part" aria-label="เติมใหม่">
      <h3 className="note muted">เติมใหม่ให้ผู้เล่น</h3>
      <Radio.Group
        aria-label="เติมใหม่ให้ผู้เล่น"
        className="redo-choices"
        value={choice}
        onChange={event => setChoice(event.target.value)}
      >
        {proposedFields && (
          <Radio value="proposed">
            ลูกค้าแจ้งข้อมูลใหม่: <b className="strong number">{shown(proposedFields)}</b>
          </Radio>
        )}
        <Radio value="same">
          ข้อมูลเดิม: <span className="number">{shown(order.fields)}</span>
        </Radio>
        <Radio value="other" disabled={!mayTakeOther} aria-describedby={mayTakeOther ? undefined : `other-${orderNo}`}>
          ผู้เล่นอื่น
        </Radio>
      </Radio.Group>
      {!proposedFields && <p className="note muted redo-note">ลูกค้ายังไม่ได้แจ้งข้อมูลใหม่ แจ้งได้ในหน้าคำสั่งซื้อของลูกค้า</p>}
      {!mayTakeOther && (
        <p className="note muted redo-note" id={`other-${orderNo}`}>
          ผู้เล่นที่ลูกค้าไม่ได้แจ้ง ต้องให้ผู้จัดการดำเนินการ
        </p>
      )}
      <Loaded query={playerFields} rows={2}>
        {fields => (
          <RedoForm
            key={choice}
            orderNo={orderNo}
            fields={fields}
            typed={typedOf((choice === 'proposed' && proposedFields) || order.fields)}
            isOther={choice === 'other'}
          />
        )}
      </Loaded>
    </section>
  )
}

interface RedoFormProps {
  orderNo: string
  fields: PlayerField[]
  typed: Typed
  /** Whether staff type another player and a reason, which the buyer can read. */
  isOther: boolean
}

/** Sends the player's fields; what was typed stays when it is refused. */
function RedoForm({ orderNo, fields, typed, isOther }: RedoFormProps) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const redo = useMutation({
    mutationFn: ({ reason, ...values }: Typed & { reason?: string }) => {
      const given = isOther ? values : typed
      const named = Object.fromEntries(fields.map(({ name }) => [PLAYER_FIELD[name], given[name]?.trim()]))
      const player = { playerId: NO_PLAYER, ...(named as Partial<PlayerValues>) }
      return client.call(redoOrder, { body: { orderNo, ...player, reason: reason?.trim() } })
    },
    onSuccess: () => {
      message.success(`ส่งกลับเข้าคิวแล้ว ${orderNo}`)
      return queries.invalidateQueries()
    },
  })
  return (
    <Form<Typed & { reason?: string }>
      layout="vertical"
      requiredMark={false}
      initialValues={typed}
      onFinish={values => redo.mutate(values)}
    >
      {isOther && <OtherPlayer fields={fields} />}
      <FailureNote title={redo.error && !redo.isPending ? `บันทึกข้อมูลไม่สำเร็จ ${messageOf(redo.error)}` : null} />
      <Button type="primary" htmlType="submit" loading={redo.isPending} icon={<RotateCcw size={16} aria-hidden />}>
        {fields.length > 0 ? 'เติมใหม่' : 'ส่งรหัสใหม่'} ส่งกลับเข้าคิว
      </Button>
      <p className="note muted" style={{ marginTop: 8 }}>
        ไม่เก็บเงินเพิ่ม ใช้เงินของคำสั่งซื้อเดิม และบันทึกว่าใครแก้ข้อมูลจากอะไรเป็นอะไร
      </p>
    </Form>
  )
}

function OtherPlayer({ fields }: { fields: PlayerField[] }) {
  return (
    <>
      {fields.map(({ name, label, format }) => (
        <Form.Item
          key={name}
          name={name}
          label={label}
          style={{ marginBottom: 12 }}
          // What is pasted loses the spaces and dashes that the game puts between digits, as in the shop.
          normalize={(typed: string) => readPlayerValue(format, typed)}
          rules={[
            required(`กรุณากรอก ${label}`),
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
      <Form.Item
        name="reason"
        label="เหตุผล (ลูกค้าเห็นในหน้าคำสั่งซื้อ)"
        style={{ marginBottom: 12 }}
        rules={[required('กรุณาระบุเหตุผล')]}
      >
        <Input maxLength={200} autoComplete="off" />
      </Form.Item>
    </>
  )
}
