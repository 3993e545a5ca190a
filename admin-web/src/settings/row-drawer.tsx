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
  /** The form's values before anything is typed. */
  valuesOf: (row: Row | null) => Values
  /** Saves over `base`, or adds without one. */
  send: (values: Values, base: Row | null) => Promise<Row>
  /** The fields, in words, for comparing two versions. */
  labels: Record<keyof Values & string, string>
  show?: (field: keyof Values & string, values: Values) => ReactNode
  onSaved: (row: Row) => void
  onClose: () => void
  children: ReactNode
}

/** Adds a row, or changes one that others may change meanwhile: then both versions are shown, and nothing is lost. */
export function RowDrawer<Values extends object, Row extends SavedRow>(props: RowDrawerProps<Values, Row>) {
  const { title, width, row, valuesOf, send, labels, show = showPlainly, onSaved, onClose, children } = props
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
      <FormConflict
        form={form}
        edit={edit}
        compare={(mine, theirs) => differencesOf({ theirs: valuesOf(theirs), mine, labels, show })}
      />
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        scrollToFirstError={{ focus: true }}
        initialValues={valuesOf(row)}
        disabled={isSaving}
        onValuesChange={edit.noteChange}
        onFinish={edit.save}
      >
        {/* Fields that remember more than their value begin anew with another version. */}
        <Fragment key={base?.version}>{children}</Fragment>
        <button type="submit" hidden />
      </Form>
      {base && <LastChange change={base} />}
    </FormDrawer>
  )
}

function showPlainly<Values extends object>(field: keyof Values & string, values: Values): ReactNode {
  const value = values[field]
  if (typeof value === 'boolean') return value ? 'เปิด' : 'ปิด'
  return value ? String(value) : '(ว่าง)'
}

function differencesOf<Values extends object>(of: {
  theirs: Values
  mine: Values
  labels: Record<keyof Values & string, string>
  show: (field: keyof Values & string, values: Values) => ReactNode
}) {
  const { theirs, mine, labels, show } = of
  const fields = Object.keys(labels) as (keyof Values & string)[]
  return fields
    .filter(field => theirs[field] !== mine[field])
    .map(field => ({ label: labels[field], theirs: show(field, theirs), mine: show(field, mine) }))
}
