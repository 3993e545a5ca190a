import { useMutation } from '@tanstack/react-query'
import { Form, type FormInstance } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { FormDrawer } from '../ui/form-drawer.tsx'
import { showRefusal } from '../ui/form-errors.ts'
import { Conflict, currentOf } from './conflict.tsx'
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
  const { title, width, row, valuesOf, labels, show = showPlainly, onClose, children } = props
  const [form] = Form.useForm<Values>()
  const typed = Form.useWatch((values: Values) => values, form) as Values | undefined
  const { base, isChanged, failure, theirs, isSaving, ...edit } = useRowEdit(form, props)
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
      {theirs && typed && (
        <Conflict
          byName={theirs.updatedByName}
          differences={differencesOf({ theirs: valuesOf(theirs), mine: typed, labels, show })}
          isSaving={isSaving}
          onTakeTheirs={() => edit.takeTheirs(theirs)}
          onKeepMine={() => edit.keepMine(theirs)}
        />
      )}
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

/** Saves what is typed over the version it was begun from, until the person chooses another one. */
function useRowEdit<Values extends object, Row extends SavedRow>(
  form: FormInstance<Values>,
  { row, valuesOf, send, onSaved }: RowDrawerProps<Values, Row>,
) {
  const [base, setBase] = useState(row)
  const [isChanged, setIsChanged] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const saving = useMutation({
    mutationFn: ({ values, over }: { values: Values; over: Row | null }) => send(values, over),
    onMutate: () => setFailure(null),
    onSuccess: onSaved,
    onError: error => setFailure(currentOf(error) ? null : showRefusal(form, error)),
  })
  return {
    base,
    isChanged,
    failure,
    theirs: currentOf<Row>(saving.error),
    isSaving: saving.isPending,
    noteChange: () => setIsChanged(true),
    save: (values: Values) => saving.mutate({ values, over: base }),
    takeTheirs: (current: Row) => {
      form.setFieldsValue(valuesOf(current) as never)
      setBase(current)
      setIsChanged(false)
      saving.reset()
    },
    keepMine: async (current: Row) => {
      const values = await form.validateFields().catch(() => null)
      if (values) saving.mutate({ values, over: current })
    },
  }
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
