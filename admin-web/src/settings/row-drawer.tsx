import { keysOf } from '@shop/shared/table.ts'
import { Form } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { FormConflict } from '../ui/conflict.tsx'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { useFormSave } from '../ui/use-save.ts'
import { LastChange } from './last-change.tsx'

interface SavedRow {
  version: number
  updatedAt: string | null
  updatedByName: string | null
}

interface RowDrawerProps<Values extends object, Row extends SavedRow> {
  title: string
  width: number
  row: Row | null
  /** The values that the form begins with. */
  valuesOf: (row: Row | null) => Values
  /** Saves over `base`, or adds a row when it is null. */
  send: (values: Values, base: Row | null) => Promise<Row>
  /** The names of the fields, for comparing two versions. */
  labels: Record<keyof Values & string, string>
  /** Draws the fields whose bare value would not tell people enough. */
  show: Partial<Record<keyof Values & string, (values: Values) => ReactNode>>
  onSaved: (row: Row) => void
  onClose: () => void
  children: ReactNode
}

/** Adds a row, or changes one. If somebody else changed it meanwhile, both versions are shown and nothing is lost. */
export function RowDrawer<Values extends object, Row extends SavedRow>(props: RowDrawerProps<Values, Row>) {
  const { title, width, row, valuesOf, send, onSaved, onClose, children } = props
  const [form] = Form.useForm<Values>()
  const edit = useFormSave<Values, Row>({ form, record: row, valuesOf, send, onSaved })
  const { base, isChanged, failure, isSaving } = edit
  return (
    <FormDrawer
      title={title}
      width={width}
      isSaving={isSaving}
      isChanged={isChanged}
      failure={failure}
      onSave={form.submit}
      onClose={onClose}
    >
      <FormConflict form={form} edit={edit} compare={(mine, theirs) => differencesOf(mine, valuesOf(theirs), props)} />
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={valuesOf(row)}
        disabled={isSaving}
        onValuesChange={edit.noteChange}
        onFinish={edit.save}
      >
        {/* Drawn anew for another version, because some fields remember more than their value. */}
        <Fragment key={base?.version}>{children}</Fragment>
        <button type="submit" hidden />
      </Form>
      {base && <LastChange change={base} />}
    </FormDrawer>
  )
}

function differencesOf<Values extends object, Row extends SavedRow>(
  mine: Values,
  theirs: Values,
  { labels, show }: Pick<RowDrawerProps<Values, Row>, 'labels' | 'show'>,
) {
  const textOf = (field: keyof Values & string, values: Values): ReactNode => {
    const value = values[field]
    if (typeof value === 'boolean') return value ? 'เปิด' : 'ปิด'
    return show[field]?.(values) ?? (value ? String(value) : '(ว่าง)')
  }
  const fields = keysOf(labels)
  return fields
    .filter(field => theirs[field] !== mine[field])
    .map(field => ({ label: labels[field], theirs: textOf(field, theirs), mine: textOf(field, mine) }))
}
