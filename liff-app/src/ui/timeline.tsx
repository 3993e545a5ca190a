import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export interface TimelineStep {
  title: ReactNode
  detail?: ReactNode
  /** `bad` is a step at which something went wrong. */
  state: 'done' | 'current' | 'todo' | 'bad'
}

const dots = {
  done: 'border-ok bg-ok text-white',
  current: 'border-accent bg-white ring-4 ring-accent-tint',
  todo: 'border-card bg-white',
  bad: 'border-bad bg-bad text-white',
}

const titles = {
  done: 'font-semibold',
  current: 'font-semibold',
  todo: 'font-medium text-ink-3',
  bad: 'font-semibold text-bad',
}

/** Shows the steps that are done, the current one and those to come. */
export function Timeline({ label, steps }: { label: string; steps: TimelineStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map((step, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one process keep their order
          key={index}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className="group relative pb-4.5 pl-9 last:pb-0"
        >
          <span
            aria-hidden="true"
            className={classes(
              'absolute top-6.5 -bottom-0.5 left-[0.6875rem] w-0.5 group-last:hidden',
              step.state === 'done' ? 'bg-ok' : 'bg-line',
            )}
          />
          <span
            aria-hidden="true"
            className={classes(
              'absolute top-px left-0 flex size-6 items-center justify-center rounded-full border-2',
              dots[step.state],
            )}
          >
            {step.state === 'done' && <Check size={14} className="stroke-[2.25] [&>path]:animate-draw" />}
            {step.state === 'bad' && <X size={14} className="stroke-[2.25]" />}
            {step.state === 'current' && <span className="size-2 rounded-full bg-accent" />}
          </span>
          <p className={titles[step.state]}>
            {step.title}
            {step.state === 'done' && <span className="sr-only"> เสร็จแล้ว</span>}
          </p>
          {step.detail && <p className="text-ink-2 text-note">{step.detail}</p>}
        </li>
      ))}
    </ol>
  )
}
