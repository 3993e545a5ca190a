import { PAYMENT_METHOD, PRICE_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { MOST_BASIS_POINTS, type PriceRule, type Rounding, type RuleTarget } from '@shop/shared/catalogue/price-rule.ts'
import type { getPriceRules } from '@shop/shared/cost/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { commaQuestion, parseBaht } from '@shop/shared/typed-baht.ts'
import { bahtText } from '../ui/baht-text.ts'

export type Rules = Reply<typeof getPriceRules>

/** A rule while it is edited. Amounts are texts in baht; per cent have at most two decimals. */
interface RuleDraft {
  isOn: boolean
  percent: string
  fixed: string
  least: string
  rounding: Rounding
}
export type RuleDrafts = Partial<Record<RuleTarget, RuleDraft>>

const FIRST: RuleDraft = { isOn: false, percent: '6', fixed: '0', least: '5', rounding: 'baht' }

/** What rules of a game can set, with the names that people know. */
export const targetsOf = ({ tiers }: Rules): { target: RuleTarget; label: string }[] => [
  ...PRICE_CODES.map(target => ({ target, label: `ราคา ${PAYMENT_METHOD[target].name}` })),
  ...tiers.map(({ id, name }) => ({ target: `tier:${id}` as const, label: `ราคาของ Tier ${name}` })),
]

/** Per cent and basis points differ by the same hundred as baht and satang. */
export const draftsOf = (rules: Rules): RuleDrafts =>
  Object.fromEntries(
    targetsOf(rules).map(({ target }) => {
      const rule = rules.rules.find(each => each.target === target)
      const draft = rule && {
        isOn: true,
        percent: bahtText(rule.basisPoints),
        fixed: bahtText(rule.fixedSatang),
        least: bahtText(rule.leastSatang),
        rounding: rule.rounding,
      }
      return [target, draft ?? FIRST]
    }),
  )

/** Returns what is wrong with a text of a rule; null when nothing is. */
export function ruleTextProblem(text: string, most = Number.POSITIVE_INFINITY): string | null {
  const amount = parseBaht(text)
  if (amount === null) return commaQuestion(text) ?? 'กรุณาใส่ตัวเลข'
  return amount > most ? `ไม่เกิน ${(most / 100).toLocaleString('en-US')}` : null
}
export const MOST_PERCENT = MOST_BASIS_POINTS

/** Returns the rules that are on, in the order of their targets. The texts have passed `ruleTextProblem`. */
export const rulesOf = (drafts: RuleDrafts, rules: Rules): PriceRule[] =>
  targetsOf(rules).flatMap(({ target }) => {
    const draft = drafts[target]
    if (!draft?.isOn) return []
    const { percent, fixed, least, rounding } = draft
    const [basisPoints, fixedSatang, leastSatang] = [percent, fixed, least].map(text => parseBaht(text) ?? 0)
    return [{ target, basisPoints: basisPoints!, fixedSatang: fixedSatang!, leastSatang: leastSatang!, rounding }]
  })
