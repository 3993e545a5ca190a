import { AppError, messageOf } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import { listOptions, type SetOption, saveOption } from '@shop/shared/settings/endpoints.ts'
import { isGuard, OPTION, type Option } from '@shop/shared/settings/option.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useClient, useMe } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { isSentOn } from '../ui/sent-on.ts'
import { currentOf } from '../ui/use-save.ts'
import { LastChange } from './last-change.tsx'
import { OPTION_FIELD, optionText } from './option-field.tsx'
import { SaveButtons } from './save-buttons.tsx'

/** What was typed, and the value that was there when the typing began. */
export interface OptionDraft {
  from: string
  text: string
}

export function OptionRow(props: {
  set: SetOption
  draft: OptionDraft | null
  onDraft: (draft: OptionDraft | null) => void
}) {
  const { set, draft, onDraft } = props
  const { label, kind } = OPTION[set.optionName]
  const id = useId()
  const { save, show } = useSaveOption(set, () => onDraft(null))
  const text = draft?.text ?? set.optionValue
  const theirs = currentOf<SetOption>(save.error)
  const change = (typed: string) => {
    save.reset()
    const from = draft?.from ?? set.optionValue
    onDraft(typed === from ? null : { from, text: typed })
  }
  const drop = () => {
    save.reset()
    onDraft(null)
  }
  const mayWrite = can(useMe().role, isGuard(set.optionName) ? 'value.guard' : 'settings.manage')
  const Field = OPTION_FIELD[kind]
  return (
    <form
      className="option"
      aria-label={`ตั้งค่า ${label}`}
      onSubmit={event => {
        event.preventDefault()
        if (draft) save.mutate(draft)
      }}
    >
      <OptionWords id={id} set={set} />
      <div>
        <div className="row">
          <div className="grow">
            <Field
              id={id}
              text={text}
              isDisabled={save.isPending || !mayWrite}
              isInvalid={problemOf(save.error) !== null}
              describedBy={`${id}-hint ${id}-problem`}
              onChange={change}
            />
          </div>
          {draft && !theirs && <SaveButtons what={label} isSaving={save.isPending} onDrop={drop} />}
        </div>
        <p className="field-error" id={`${id}-problem`} role="alert">
          {save.error &&
            !theirs &&
            !isSentOn(save.error) &&
            `บันทึกข้อมูลไม่สำเร็จ! ${problemOf(save.error) ?? messageOf(save.error)}`}
        </p>
      </div>
      {theirs && draft && (
        <div className="is-wide">
          <Conflict
            by={theirs}
            differences={[{ label, theirs: optionText(kind, theirs.optionValue), mine: optionText(kind, draft.text) }]}
            isSaving={save.isPending}
            onTakeTheirs={() => {
              show(theirs)
              drop()
            }}
            onKeepMine={() => save.mutate({ from: theirs.optionValue, text: draft.text })}
          />
        </div>
      )}
    </form>
  )
}

function OptionWords({ id, set }: { id: string; set: SetOption }) {
  const { label, hint } = OPTION[set.optionName]
  return (
    <div>
      <label htmlFor={id} className="strong">
        {label}
      </label>
      <p className="muted" id={`${id}-hint`}>
        {hint}
      </p>
      {isGuard(set.optionName) && <p className="note muted">เฉพาะผู้ดูแลระบบ หากจะผ่อนให้หลวมขึ้นต้องมีผู้ดูแลระบบอีกคนยืนยัน</p>}
      {set.updatedAt && <LastChange change={set} />}
    </div>
  )
}

/** Says which values the option takes, if the value was refused; null for any other error. */
function problemOf(error: unknown): string | null {
  const takes = error instanceof AppError && error.code === 'OPTION_INVALID' ? error.fields?.optionValue : undefined
  return takes ? `ค่าที่ใช้ได้: ${takes}` : null
}

function useSaveOption({ optionName }: SetOption, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const undoable = useUndoable()
  const { label, read, takes }: Option<unknown> = OPTION[optionName]
  const show = (saved: SetOption) =>
    queries.setQueryData<SetOption[]>(client.query(listOptions).queryKey, sets =>
      sets?.map(set => (set.optionName === saved.optionName ? saved : set)),
    )
  const save = useMutation({
    mutationFn: async ({ from, text }: OptionDraft) => {
      const optionValue = text.trim()
      if (read(optionValue) === null) throw new AppError('OPTION_INVALID', { fields: { optionValue: takes } })
      return undoable.save(saveOption, { body: { optionName, optionValue, fromValue: from } })
    },
    onSuccess: saved => {
      show(saved)
      onDone()
      undoable.tellSaved(`บันทึก ${label} แล้ว`)
    },
    // The request is kept for the second person; until then the old value is valid and shown.
    onError: error => isSentOn(error) && onDone(),
  })
  return { save, show }
}
