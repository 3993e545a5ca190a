import { PLAYER_FIELD, type PlayerField, type PlayerValues } from '@shop/shared/catalogue/catalogue.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { listPlayerFields, proposePlayer } from '@shop/shared/order/correction-endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, type ControllerRenderProps, useForm } from 'react-hook-form'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { byPlayerForm, type TypedPlayer } from './forms.ts'

interface CorrectionProps {
  order: OrderView
  onSent: () => void
}

/** Lets the buyer of an order whose top-up failed correct the player. Staff look at the proposal and decide. */
export default function Correction({ order, onSent }: CorrectionProps) {
  const [isEditing, setEditing] = useState(order.proposedFields === null)
  return (
    <section aria-labelledby="correction" className="mt-4 rounded-card border border-line p-4">
      <h2 id="correction" className="text-section">
        เติมใหม่ด้วยข้อมูลที่ถูกต้อง
      </h2>
      {isEditing ? (
        <CorrectionForm order={order} onSent={onSent} />
      ) : (
        <>
          <p className="mt-0.5 mb-3 text-ink-2 text-small">ส่งให้ทีมงานแล้ว เมื่อเริ่มเติมใหม่หน้านี้จะเปลี่ยนเอง ไม่ต้องจ่ายเพิ่ม</p>
          <Facts facts={order.proposedFields ?? []} />
          <Button kind="quiet" size="small" className="mt-2 -ml-3" onClick={() => setEditing(true)}>
            แก้ไขอีกครั้ง
          </Button>
        </>
      )}
    </section>
  )
}

function CorrectionForm({ order, onSent }: CorrectionProps) {
  const { orderNo } = order
  const query = useQuery(api.query(listPlayerFields, { params: { orderNo } }))
  return (
    <>
      <p className="mt-0.5 mb-3 text-ink-2 text-small">ตรวจและแก้ข้อมูลผู้เล่น ทีมงานจะเติมใหม่ให้โดยไม่ต้องจ่ายเพิ่ม</p>
      <Loaded query={query} skeleton={<Skeleton className="h-24" />}>
        {fields => <PlayerForm order={order} fields={fields} onSent={onSent} />}
      </Loaded>
    </>
  )
}

function PlayerForm({ order, fields, onSent }: CorrectionProps & { fields: PlayerField[] }) {
  const toast = useToast()
  const form = useForm<TypedPlayer>({
    defaultValues: Object.fromEntries((order.proposedFields ?? order.fields).map(({ name, value }) => [name, value])),
    resolver: byPlayerForm(fields),
    shouldFocusError: false,
  })
  const send = useMutation({
    mutationFn: (typed: TypedPlayer) => {
      const body = Object.fromEntries(fields.map(({ name }) => [PLAYER_FIELD[name], typed[name]]))
      return api.call(proposePlayer, { params: { orderNo: order.orderNo }, body: body as PlayerValues })
    },
    onSuccess: () => {
      toast({ text: 'ส่งข้อมูลผู้เล่นใหม่แล้ว' })
      onSent()
    },
  })
  const refused = send.error instanceof AppError ? send.error.fields : undefined
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(typed => !send.isPending && send.mutate(typed))}
      className="grid gap-1"
    >
      {fields.map(asked => (
        <Controller
          key={asked.name}
          control={form.control}
          name={asked.name}
          // The order has no value for an input that the game asks for only since then.
          defaultValue=""
          render={({ field, fieldState }) => (
            <Input
              {...field}
              asked={asked}
              error={fieldState.error?.message ?? refused?.[asked.name]}
              onChange={event => {
                send.reset()
                field.onChange(event)
              }}
            />
          )}
        />
      ))}
      <Problem className="mb-2">{send.error && messageOf(send.error)}</Problem>
      <Button type="submit" block busy={send.isPending} busyLabel="กำลังส่ง">
        ส่งให้ทีมงานเติมใหม่
      </Button>
    </form>
  )
}

interface InputProps extends ControllerRenderProps<TypedPlayer> {
  asked: PlayerField
  error?: string
}

function Input({ asked: { label, format }, ...input }: InputProps) {
  if (format?.kind === 'choices')
    return <SelectField {...input} label={label} choices={format.choices} placeholder={`เลือก ${label}`} />
  return (
    <Field
      {...input}
      label={label}
      inputMode={format?.kind === 'digits' ? 'numeric' : 'text'}
      maxLength={100}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
