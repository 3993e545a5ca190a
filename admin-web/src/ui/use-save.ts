import { AppError } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import type { SavedBy } from './conflict.tsx'
import { showRefusal } from './form-errors.ts'
import { isSentOn } from './sent-on.ts'

/** What is saved now, when a save was refused because somebody else saved first; null for any other failure. */
export function currentOf<Saved>(error: unknown): Saved | null {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return null
  return (error.details?.current as Saved | undefined) ?? null
}

/** Who that was, and when, where the refusal says so. */
export function firstOf(error: unknown): SavedBy | undefined {
  return currentOf(error) === null ? undefined : ((error as AppError).details?.by as SavedBy | undefined)
}

interface Saving<Values, Saved, Answer = Saved> {
  /** What is edited; null for something new. */
  record: Saved | null
  /** `over` is what the save is to replace. */
  send: (values: Values, over: Saved | null) => Promise<Answer>
  onSaved: (saved: Answer) => void
  /** Where it waits for a second person: what was typed is kept there, and nothing is left to lose. */
  onSentOn?: () => void
  /** Either way; lists may be old now. */
  onSettled?: () => void
}

/**
 * Saves what was edited over what it was made from. When somebody else saved in between, `theirs` is what is there now,
 * until a person has taken one of the two; Conflict shows them.
 */
export function useSave<Values, Saved, Answer = Saved>(
  options: Saving<Values, Saved, Answer> & { onRefused?: (error: unknown) => void },
) {
  const { record, send, onSaved, onRefused, onSentOn, onSettled } = options
  const [base, setBase] = useState(record)
  const saving = useMutation({
    mutationFn: ({ values, over }: { values: Values; over: Saved | null }) => send(values, over),
    onSuccess: onSaved,
    onError: error => (isSentOn(error) ? onSentOn?.() : !currentOf(error) && onRefused?.(error)),
    onSettled,
  })
  return {
    base,
    isSaving: saving.isPending,
    theirs: currentOf<Saved>(saving.error),
    by: firstOf(saving.error),
    /** Why the last save was refused, for any other reason; nothing of what waits for a second person. */
    error: currentOf(saving.error) || isSentOn(saving.error) ? null : saving.error,
    save: (values: Values, over = base) => saving.mutate({ values, over }),
    /** What is edited must show it from now on. */
    takeTheirs: (theirs: Saved) => {
      setBase(theirs)
      saving.reset()
    },
  }
}

/** The same for a form: whether it was changed, why it was refused, and both ways out of a conflict. */
export function useFormSave<Values extends object, Saved>(
  options: Saving<Values, Saved> & {
    form: FormInstance<Values>
    valuesOf: (saved: Saved) => Values
    /** The field that the message of a code belongs to. */
    fieldOf?: Partial<Record<string, keyof Values & string>>
  },
) {
  const { form, valuesOf, fieldOf, ...rest } = options
  const [isChanged, setIsChanged] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const onRefused = (error: unknown) => setFailure(showRefusal(form, error, fieldOf))
  const { save, takeTheirs, ...saving } = useSave<Values, Saved>({
    ...rest,
    onRefused,
    onSentOn: () => setIsChanged(false),
  })
  const start = (values: Values, over?: Saved) => {
    setFailure(null)
    save(values, over)
  }
  return {
    ...saving,
    isChanged,
    failure,
    noteChange: () => setIsChanged(true),
    save: (values: Values) => start(values),
    takeTheirs: (theirs: Saved) => {
      form.setFieldsValue(valuesOf(theirs) as never)
      takeTheirs(theirs)
      setIsChanged(false)
    },
    keepMine: async (theirs: Saved) => {
      const values = await form.validateFields().catch(() => null)
      if (values) start(values, theirs)
    },
  }
}
