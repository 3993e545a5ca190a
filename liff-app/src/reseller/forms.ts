import { zodResolver } from '@hookform/resolvers/zod'
import { fieldProblemOf } from '@shop/shared/field-problem.ts'
import { newKey } from '@shop/shared/reseller/fields.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { webhookUrl } from '@shop/shared/webhook/fields.ts'
import * as z from 'zod'
import { findTextProblem } from '../wallet/top-up-amount.ts'

// What the forms of this page accept. Only this page loads zod for them.

const { name, mode, scopes, addresses, dailyLimitSatang } = newKey.shape

const listAddresses = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Why what was typed are no addresses, with the one that is meant. */
function findAddressProblem(text: string): string | undefined {
  const listed = listAddresses(text)
  const [issue] = addresses.safeParse(listed, { error: fieldProblemOf }).error?.issues ?? []
  if (!issue) return undefined
  const [at] = issue.path
  return typeof at === 'number' ? `${listed[at]}: ${issue.message}` : issue.message
}

const keyForm = z.object({
  name,
  mode,
  scopes: z.array(scopes.element).min(1, 'กรุณาเลือกอย่างน้อย 1 อย่าง'),
  addresses: z
    .string()
    .superRefine((text, context) => {
      const problem = findAddressProblem(text)
      if (problem) context.addIssue(problem)
    })
    .transform(listAddresses),
  /** In baht; empty for no limit. */
  dailyLimitSatang: z
    .string()
    .superRefine((text, context) => {
      const problem = text.trim() ? findTextProblem(text) : undefined
      if (problem) context.addIssue(problem)
    })
    .transform(text => (text.trim() ? parseBaht(text) : null))
    .pipe(dailyLimitSatang),
})
/** The values of the form as they are typed, and as they are sent. */
export type TypedKey = z.input<typeof keyForm>
export type ReadKey = z.output<typeof keyForm>

const webhookForm = z.object({ url: webhookUrl })
export type WebhookForm = z.input<typeof webhookForm>

const words = { error: fieldProblemOf }
export const byKeyForm = zodResolver(keyForm, words)
export const byWebhookForm = zodResolver(webhookForm, words)
