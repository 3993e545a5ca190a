import type { FormInstance } from 'antd'

/** Returns a form rule: what was typed again must be the same as in the other field. */
export const sameAs =
  (other: string, message: string) =>
  ({ getFieldValue }: Pick<FormInstance, 'getFieldValue'>) => ({
    required: true,
    validator: async (_: unknown, text: string | undefined) => {
      if ((text ?? '') !== (getFieldValue(other) ?? '')) throw new Error(message)
    },
  })
