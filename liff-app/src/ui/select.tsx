import { ChevronDown } from 'lucide-react'

interface SelectProps {
  /** Only read out; what is seen is the chosen value. */
  label: string
  /** Empty for all. */
  value: string
  /** What choosing all is called, where that is offered. */
  all?: string
  choices: readonly { value: string | number; label: string }[]
  onChange: (value: string) => void
}

/** A small native select that narrows a list. */
export const Select = ({ label, value, all, choices, onChange }: SelectProps) => (
  <span className="relative inline-flex max-w-full">
    <select
      aria-label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      className="min-h-11 max-w-full appearance-none text-ellipsis rounded-control border border-control bg-white py-1 pr-9 pl-3.5 text-body font-semibold hover:bg-canvas"
    >
      {all && <option value="">{all}</option>}
      {choices.map(choice => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
    <ChevronDown size={16} className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3" />
  </span>
)
