import { formatBaht } from '@shop/shared/money.ts'
import { slipProviderLabel } from '@shop/shared/provider-names.ts'
import { STAFF_REASON } from '@shop/shared/slipcheck/outcome.ts'
import type { SlipCheckState } from '@shop/shared/slipcheck/slip-check.ts'
import { type Finding, RULE, RULE_NAMES, type RuleName, type RuleResult } from '@shop/shared/slipcheck/verdict.ts'
import type { SlipVerdict as Shown } from '@shop/shared/slipcheck/verdict-view.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { Check } from '../ui/check.tsx'
import { Facts } from '../ui/facts.tsx'
import './slip-verdict.css'

interface Look {
  tone: 'ok' | 'bad' | 'warn' | 'open'
  icon: LucideIcon
  text: string
}

const RESULT: Record<RuleResult, Look> = {
  ok: { tone: 'ok', icon: CircleCheck, text: 'ผ่าน' },
  no: { tone: 'bad', icon: CircleX, text: 'ไม่ตรง' },
  unclear: { tone: 'warn', icon: CircleHelp, text: 'ไม่ชัดเจน' },
}

const STATE: Record<SlipCheckState, Look> = {
  confirming: { tone: 'open', icon: Clock, text: 'ธนาคารกำลังยืนยัน' },
  confirmed: { tone: 'ok', icon: CircleCheck, text: 'ธนาคารยืนยันสลิปแล้ว' },
  picture: { tone: 'warn', icon: CircleHelp, text: 'รอลูกค้าส่งรูปสลิปใหม่' },
  used: { tone: 'bad', icon: CircleX, text: 'สลิปนี้จ่ายรายการอื่นไปแล้ว รอลูกค้าส่งสลิปใหม่' },
  staff: { tone: 'warn', icon: CircleHelp, text: 'ทีมงานต้องตรวจเอง' },
}

/** The value that the shop expects beside the bank's; a single value when both are the same. */
function Values({ expected, found }: Finding) {
  if (expected === found) return <div className="note muted number">{found}</div>
  return (
    <Facts
      isSmall
      facts={[
        ['ต้องเป็น', expected],
        ['ที่พบ', found],
      ]}
    />
  )
}

function RuleLine({ name, finding }: { name: RuleName; finding: Finding }) {
  const { text, ...look } = RESULT[finding.result]
  return (
    <Check {...look}>
      {RULE[name].label} <span className="note">{text}</span>
      <Values {...finding} />
    </Check>
  )
}

function AskLine({ ask }: { ask: NonNullable<Shown['ask']> }) {
  const { provider, askedAt, count, code, payerName, payerMask, amountSatang } = ask
  const payer = [payerName, payerMask].filter(Boolean).join(' ')
  const parts = [
    slipProviderLabel(provider),
    formatDateTimeSeconds(askedAt),
    `ถาม ${count} ครั้ง`,
    code && `รหัส ${code}`,
    payer && `ผู้โอน ${payer}`,
    amountSatang !== null && `${formatBaht(amountSatang)} บาท`,
  ]
  return <div className="note muted">{parts.filter(Boolean).join(' · ')}</div>
}

/** Shows what the automatic check of a slip found, rule by rule; draws nothing without a check. */
export function SlipVerdict({ verdict: shown }: { verdict: Shown | null }) {
  if (!shown) return null
  const { state, reason, ask, hasApproved } = shown
  const { text, ...look } = STATE[state]
  const findings = ask?.verdict
  return (
    <section className="card-part verdict" aria-label="ตรวจสลิปกับธนาคาร">
      <h3 className="note muted">ตรวจสลิปกับธนาคาร</h3>
      <ul className="checks">
        <Check {...look}>
          <b className="strong">{text}</b>
          {reason && <div>{STAFF_REASON[reason]}</div>}
          {hasApproved && <div>ระบบปรับเป็นได้รับเงินแล้วให้อัตโนมัติ ยอดต้องปรากฏในรายการธนาคารภายใน 2 วัน</div>}
          {ask && <AskLine ask={ask} />}
        </Check>
        {findings &&
          RULE_NAMES.map(name => {
            const finding = findings[name]
            return finding && <RuleLine key={name} name={name} finding={finding} />
          })}
      </ul>
    </section>
  )
}
