import type { Satang } from '@shop/shared/money.ts'
import type { ChangeDraft, Draft } from '../draft.ts'
import { Amount } from '../ui/amount.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import type { CreditPlan } from './credit-plan.ts'

interface CreditChoiceProps {
  balanceSatang: Satang
  plan: CreditPlan | null
  draft: Draft
  onChange: ChangeDraft
}

/** Asks whether shop credit is used, and tells what it pays. */
export const CreditChoice = ({ balanceSatang, plan, draft, onChange }: CreditChoiceProps) => (
  <div className="mb-3 rounded-control border border-line px-3.5">
    <CheckboxRow checked={draft.usesCredit ?? false} onChange={event => onChange({ usesCredit: event.target.checked })}>
      <span className="block font-semibold">ใช้เครดิตร้าน</span>
      <span className="block text-ink-2 text-small">
        คงเหลือ <Amount satang={balanceSatang} className="text-ink" />
        {plan && (
          <>
            {' · ใช้ '}
            <Amount satang={plan.satang} className="font-semibold text-ink" />
            {plan.coversAll ? ' จ่ายทั้งหมด' : ' ส่วนที่เหลือจ่ายด้วยวิธีด้านล่าง'}
          </>
        )}
      </span>
    </CheckboxRow>
  </div>
)
