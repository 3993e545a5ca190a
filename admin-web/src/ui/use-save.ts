import { AppError } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

/** What is saved now, when a save was refused because somebody else saved first; null for any other failure. */
function currentOf<Saved>(error: unknown): Saved | null {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') return null
  return (error.details?.current as Saved | undefined) ?? null
}

/**
 * Saves a form over what it was made from. When somebody else saved in between, `conflict` holds both sides until a person
 * has taken one of them; ConflictDialog shows it.
 */
export function useSave<Values, Saved>(options: {
  /** What the form shows at first; null for something new. */
  record: Saved | null
  /** `over` is what the save is to replace. */
  send: (values: Values, over: Saved | null) => Promise<Saved>
  onSaved: (saved: Saved) => void
  onRefused: (error: unknown) => void
  /** Either way; lists may be old now. */
  onSettled?: () => void
}) {
  const { record, send, onSaved, onRefused, onSettled } = options
  const [base, setBase] = useState(record)
  const [both, setBoth] = useState<{ typed: Values; current: Saved } | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ values, over }: { values: Values; over: Saved | null }) => send(values, over),
    onSuccess: saved => {
      setBoth(null)
      onSaved(saved)
    },
    onError: (error, { values }) => {
      const current = currentOf<Saved>(error)
      setBoth(current && { typed: values, current })
      if (!current) onRefused(error)
    },
    onSettled,
  })
  return {
    isSaving: isPending,
    save: (values: Values) => mutate({ values, over: base }),
    conflict: both && {
      ...both,
      overwrite: () => mutate({ values: both.typed, over: both.current }),
      /** The form must show what is saved now. */
      takeSaved: () => {
        setBase(both.current)
        setBoth(null)
      },
      close: () => setBoth(null),
    },
  }
}
