import { type CheckFact, HEALTH_CHECK, isOver } from '@shop/shared/health/check.ts'
import type { HealthCheck } from '@shop/shared/health/endpoints.ts'

/** One thing that is watched: whether a limit is passed, by what, and the rest of what was measured. */
export function Check({ check: { name, isRed, facts } }: { check: HealthCheck }) {
  const { title, means, first, unit } = HEALTH_CHECK[name]
  const over = facts.filter(isOver)
  const worst = over.length > 0 ? over : facts.toSorted(bySize).slice(0, 1)
  const rest = facts.filter(fact => !worst.includes(fact) && fact.value !== null)
  return (
    <li>
      <span className={`tag ${isRed ? 'is-bad' : 'is-ok'}`}>{isRed ? 'เกินกำหนด' : 'ปกติ'}</span>
      <div>
        <h2>{title}</h2>
        {isRed && <p className="is-bad">{means}</p>}
        {isRed && <p>{first}</p>}
        {rest.length > 0 && (
          <details>
            <summary className="muted">อีก {rest.length} รายการ</summary>
            <Facts facts={rest} unit={unit} />
          </details>
        )}
      </div>
      <Facts facts={worst} unit={unit} />
      <span />
    </li>
  )
}

type Unit = (typeof HEALTH_CHECK)[keyof typeof HEALTH_CHECK]['unit']

/** How much of its limit is used; what has none comes last. */
const bySize = (one: CheckFact, other: CheckFact) => shareOf(other) - shareOf(one)
const shareOf = ({ value, limit }: CheckFact): number =>
  value === null ? -1 : limit === null ? 0 : value / Math.max(1, limit)

function Facts({ facts, unit }: { facts: CheckFact[]; unit: Unit }) {
  return (
    <ul className="note number">
      {facts.map(fact => (
        <li key={fact.of} className={isOver(fact) ? 'is-bad' : 'muted'}>
          {wordsOf(fact, unit)}
        </li>
      ))}
    </ul>
  )
}

function wordsOf({ label, value, limit }: CheckFact, unit: Unit): string {
  if (value === null) return 'ไม่มี'
  const amount = `${label ? `${label}: ` : ''}${amountOf(value, unit)}`
  return limit === null ? amount : `${amount} (ไม่เกิน ${amountOf(limit, unit)})`
}

const STEPS = [
  { seconds: 86_400, name: 'วัน' },
  { seconds: 3600, name: 'ชม.' },
  { seconds: 60, name: 'นาที' },
] as const

/** A number of things, a share, or a time in its largest whole unit with one digit, e.g. "3.5 นาที". */
function amountOf(value: number, unit: Unit): string {
  if (unit === 'count') return value.toLocaleString('en-US')
  if (unit === 'percent') return `${value}%`
  const step = STEPS.find(({ seconds }) => value >= seconds)
  return step ? `${Math.round((value / step.seconds) * 10) / 10} ${step.name}` : `${value} วินาที`
}
