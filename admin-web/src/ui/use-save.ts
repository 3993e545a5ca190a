import { AppError } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect, useState } from 'react'
import type { SavedBy } from './conflict.tsx'
import { leadToFault, showRefusal } from './form-errors.ts'
import { isSentOn } from './sent-on.ts'

/** The version that somebody else saved first, when a save was refused for that; null for any other failure. */
export function currentOf<Saved>(error: unknown): Saved | null {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return null
  return (error.details?.current as Saved | undefined) ?? null
}

/** Who saved first, and when, if the refusal says so. */
export function firstOf(error: unknown): SavedBy | undefined {
  return currentOf(error) === null ? undefined : ((error as AppError).details?.by as SavedBy | undefined)
}

interface Saving<Values, Saved, Answer = Saved> {
  /** The saved version that is edited; null for something new. */
  record: Saved | null
  /** Saves `values`; `over` is the version that they replace. */
  send: (values: Values, over: Saved | null) => Promise<Answer>
  onSaved: (saved: Answer) => void
  /** Runs when the change was passed on to a second person; it is kept for them, so nothing typed can be lost. */
  onSentOn?: () => void
  /**
   * Tells whether the version that somebody else saved first still is, in all that is edited here, the one that was
   * edited. Then there is nothing to choose, and the values replace theirs.
   */
  isUntouched?: (theirs: Saved, base: Saved) => boolean
  /** Runs after success and failure alike, for example to read lists again. */
  onSettled?: () => void
}

/**
 * Saves an edited version over the one that it was made from. When somebody else saved in between, `theirs` is their
 * version until the person has chosen one of the two; the component Conflict shows both.
 */
export function useSave<Values, Saved, Answer = Saved>(
  options: Saving<Values, Saved, Answer> & { onRefused?: (error: unknown) => void },
) {
  const { record, send, onSaved, onRefused, onSentOn, onSettled, isUntouched } = options
  const [base, setBase] = useState(record)
  const saving = useMutation({
    mutationFn: ({ values, over }: { values: Values; over: Saved | null }) => send(values, over),
    onSuccess: onSaved,
    onError: (error, { values, over }) => {
      const current = currentOf<Saved>(error)
      if (isSentOn(error)) onSentOn?.()
      else if (!current) onRefused?.(error)
      else if (over && isUntouched?.(current, over)) {
        setBase(current)
        saving.mutate({ values, over: current })
      }
    },
    onSettled,
  })
  return {
    base,
    isSaving: saving.isPending,
    theirs: currentOf<Saved>(saving.error),
    by: firstOf(saving.error),
    /** Why the last save failed, if it was neither a conflict nor passed on to a second person. */
    error: currentOf(saving.error) || isSentOn(saving.error) ? null : saving.error,
    save: (values: Values, over = base) => saving.mutate({ values, over }),
    /** Goes on from their version, which the form must show from now on. */
    takeTheirs: (theirs: Saved) => {
      setBase(theirs)
      saving.reset()
    },
  }
}

/** The same for an antd form; it also tells whether the form was changed and why saving failed. */
export function useFormSave<Values extends object, Saved>(
  options: Saving<Values, Saved> & {
    form: FormInstance<Values>
    valuesOf: (saved: Saved) => Values
    /** The field that an error code's message belongs to. */
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
  // Once more when the save has ended, because fields that are disabled until then take no focus.
  const { isSaving } = saving
  useEffect(() => {
    if (!isSaving) leadToFault(form)
  }, [isSaving, form])
  const start = (values: Values, over?: Saved) => {
    setFailure(null)
    save(values, over)
  }
  return {
    ...saving,
    isChanged,
    failure,
    noteChange: () => setIsChanged(true),
    /** Empties fields for the next new thing, after one was saved. */
    startAgain: (fields: (keyof Values & string)[]) => {
      form.resetFields(fields as never)
      setIsChanged(false)
    },
    save: (values: Values) => start(values),
    takeTheirs: (theirs: Saved) => {
      form.setFieldsValue(valuesOf(theirs) as never)
      takeTheirs(theirs)
      setIsChanged(false)
    },
    keepMine: async (theirs: Saved) => {
      const values = await form.validateFields().catch(() => null)
      if (values) start(values, theirs)
      else leadToFault(form)
    },
  }
}
