import { Minus, Plus } from 'lucide-react'

interface StepperProps {
  value: number
  most: number
  help: string
  onChange: (value: number) => void
}

const key =
  'inline-flex size-11 items-center justify-center rounded-control border border-control bg-white hover:bg-canvas active:bg-fill aria-disabled:border-line aria-disabled:bg-fill aria-disabled:text-ink-3'

/** Sets how many pieces of a package to buy; `help` says what limits it. */
export function QuantityStepper({ value, most, help, onChange }: StepperProps) {
  const step = (by: number) => onChange(Math.min(most, Math.max(1, value + by)))
  return (
    <fieldset
      aria-describedby="quantity-help"
      className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
    >
      <legend className="sr-only">จำนวน</legend>
      <p>
        <span className="block text-label" aria-hidden="true">
          จำนวน
        </span>
        <span id="quantity-help" className="block text-ink-2 text-note">
          {help}
        </span>
      </p>
      <div className="flex items-center gap-2">
        <button
          type="button"
          className={key}
          aria-label="ลดจำนวน"
          aria-disabled={value <= 1 || undefined}
          onClick={() => step(-1)}
        >
          <Minus size={20} />
        </button>
        <output aria-live="polite" aria-label="จำนวน" className="min-w-10 text-center font-semibold tabular-nums">
          {value}
        </output>
        <button
          type="button"
          className={key}
          aria-label="เพิ่มจำนวน"
          aria-disabled={value >= most || undefined}
          onClick={() => step(1)}
        >
          <Plus size={20} />
        </button>
      </div>
    </fieldset>
  )
}
