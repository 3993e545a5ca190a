import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { listKeys, makeKey } from '@shop/shared/reseller/key-endpoints.ts'
import type { KeyMode } from '@shop/shared/reseller/reseller.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { api } from '../api.ts'
import { focusOn } from '../ui/focus-on.ts'
import { isUnanswered } from '../unanswered.ts'
import { byKeyForm, type ReadKey, type TypedKey } from './forms.ts'

type FieldName = keyof TypedKey

/** Refusals of the server that are about a field. */
const FIELD_OF: Partial<Record<ErrorCode, FieldName>> = { KEY_TOO_MANY: 'mode', KEY_ADDRESS_INVALID: 'addresses' }

/** Finds the field that a refusal is about, and what is said there; null for any other failure. */
function findRefused(error: unknown): { name: FieldName; message: string } | null {
  if (!(error instanceof AppError)) return null
  const known = FIELD_OF[error.code]
  if (known) return { name: known, message: messageOf(error) }
  // "addresses.2" names the third of them.
  const [path, message] = Object.entries(error.fields ?? {}).find(([path]) => !path.startsWith('pin')) ?? []
  return path && message ? { name: path.split('.')[0] as FieldName, message } : null
}

/** The id of a field's element. */
export const idOf = (name: FieldName): string => `key-${name}`

/** Reads the keys again wherever they are shown. */
export function useRefreshKeys(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [listKeys.path] })
}

/** The steps to a key: what was typed is checked, then comes the PIN, then the token. */
export function useMakeKey(mode: KeyMode) {
  const refresh = useRefreshKeys()
  const form = useForm<TypedKey, unknown, ReadKey>({
    defaultValues: { name: '', mode, scopes: ['read'], addresses: '', dailyLimitSatang: '' },
    resolver: byKeyForm,
  })
  // What the PIN is asked for; null while the form is shown.
  const [checked, setChecked] = useState<ReadKey | null>(null)
  const [token, setToken] = useState<string | null>(null)
  const make = useMutation({
    gcTime: 0,
    // It gives nothing back, because a mutation keeps what it gets.
    mutationFn: async (body: ReadKey & { pin: string }): Promise<void> => {
      const { token } = await api.call(makeKey, { body })
      setToken(token)
    },
    onSuccess: refresh,
    onError: error => {
      const refused = findRefused(error)
      // The list is not what it was thought to be: the key may even have been made.
      if (refused?.name === 'mode' || isUnanswered(error)) void refresh()
      if (!refused) return
      flushSync(() => setChecked(null))
      form.setError(refused.name, { type: 'server', message: refused.message })
      focusOn(idOf(refused.name))
    },
  })
  return {
    form,
    checked,
    token,
    isBusy: make.isPending,
    error: make.error,
    toPin: form.handleSubmit(values => {
      make.reset()
      setChecked(values)
    }),
    toForm: () => setChecked(null),
    sendPin: (pin: string) => checked && make.mutate({ ...checked, pin }),
  }
}
export type Making = ReturnType<typeof useMakeKey>
