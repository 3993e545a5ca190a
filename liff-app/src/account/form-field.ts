import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form'

/** Connects a field to its form and tells it what is wrong with its value. */
export const fieldOf = <V extends FieldValues, N extends Path<V>>(
  form: Pick<UseFormReturn<V>, 'register' | 'getFieldState' | 'formState'>,
  name: N,
  options?: RegisterOptions<V, N>,
) => ({ ...form.register(name, options), error: form.getFieldState(name, form.formState).error?.message })
