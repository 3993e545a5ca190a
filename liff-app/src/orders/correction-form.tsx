import {
  PLAYER_FIELD,
  type PlayerField,
  type PlayerFieldName,
  type PlayerValues,
} from '@shop/shared/catalogue/catalogue.ts'
import { playerFormatProblem } from '@shop/shared/catalogue/player-format.ts'
import { AppError, errorMessage, messageOf } from '@shop/shared/errors.ts'
import { listPlayerFields, proposePlayer } from '@shop/shared/order/correction-endpoints.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { Loaded, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'

type Typed = Partial<Record<PlayerFieldName, string>>

interface CorrectionProps {
  order: OrderView
  onSent: () => void
}

/** Of an order whose top-up failed: whom to top up instead. Staff look at it and decide. */
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

function problemOf({ label, format }: PlayerField, value: string): string | undefined {
  if (!value) return errorMessage('PLAYER_FIELD_REQUIRED', { field: label })
  return playerFormatProblem(format, value) ?? undefined
}

function PlayerForm({ order, fields, onSent }: CorrectionProps & { fields: PlayerField[] }) {
  const toast = useToast()
  const [typed, setTyped] = useState<Typed>(() =>
    Object.fromEntries((order.proposedFields ?? order.fields).map(({ name, value }) => [name, value])),
  )
  const [hasTried, setTried] = useState(false)
  const typedIn = ({ name }: PlayerField) => typed[name]?.trim() ?? ''
  const send = useMutation({
    mutationFn: () => {
      const body = Object.fromEntries(fields.map(field => [PLAYER_FIELD[field.name], typedIn(field)]))
      return api.call(proposePlayer, { params: { orderNo: order.orderNo }, body: body as PlayerValues })
    },
    onSuccess: () => {
      toast({ text: 'ส่งข้อมูลผู้เล่นใหม่แล้ว' })
      onSent()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!send.isPending && fields.every(field => !problemOf(field, typedIn(field)))) send.mutate()
  }
  const refused = send.error instanceof AppError ? send.error.fields : undefined
  return (
    <form noValidate onSubmit={submit} className="grid gap-1">
      {fields.map(field => (
        <Input
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          error={(hasTried && problemOf(field, typedIn(field))) || refused?.[field.name]}
          onChange={value => {
            send.reset()
            setTyped({ ...typed, [field.name]: value })
          }}
        />
      ))}
      {send.error && (
        <Note className="mb-2" kind="bad" role="alert">
          {messageOf(send.error)}
        </Note>
      )}
      <Button type="submit" block busy={send.isPending} busyLabel="กำลังส่ง">
        ส่งให้ทีมงานเติมใหม่
      </Button>
    </form>
  )
}

interface InputProps {
  field: PlayerField
  value: string
  error?: string
  onChange: (value: string) => void
}

function Input({ field: { name, label, format }, onChange, ...shown }: InputProps) {
  if (format?.kind === 'choices') {
    return (
      <SelectField
        {...shown}
        name={name}
        label={label}
        choices={format.choices}
        placeholder={`เลือก ${label}`}
        onChange={event => onChange(event.target.value)}
      />
    )
  }
  return (
    <Field
      {...shown}
      name={name}
      label={label}
      inputMode={format?.kind === 'digits' ? 'numeric' : 'text'}
      maxLength={100}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={event => onChange(event.target.value)}
    />
  )
}
