import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** The circle of a step with its number, or with a check mark that is drawn once when the step is done. */
function StepNumber({ number, done }: { number: number; done?: boolean }) {
  return (
    <span
      className={classes(
        'inline-flex size-6 flex-none items-center justify-center rounded-full font-bold text-note',
        done ? 'bg-ok text-white' : 'bg-fill text-ink-2',
      )}
    >
      {done ? (
        <Check size={14} className="stroke-[2.25] [&>path]:animate-draw" role="img" aria-label="เสร็จแล้ว" />
      ) : (
        <span className="trim-label">{number}</span>
      )}
    </span>
  )
}

/** One numbered part of a form that is filled in from top to bottom. */
export function StepSection(props: { number: number; done?: boolean; title: string; children: ReactNode }) {
  return (
    <section className="pt-5 [&+&]:mt-5 [&+&]:border-line [&+&]:border-t lg:pt-6 lg:[&+&]:mt-6">
      <h2 className="mb-3 flex items-center gap-2.5 text-section">
        <StepNumber number={props.number} done={props.done} />
        {props.title}
      </h2>
      {props.children}
    </section>
  )
}

/** Numbered instructions, side by side on a wide screen. */
export function NumberedSteps({ steps }: { steps: ReactNode[] }) {
  return (
    <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-x-4 gap-y-2 text-small">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed instructions, their place is who they are
        <li key={index} className="flex items-start gap-3">
          <StepNumber number={index + 1} />
          <span className="min-w-0">{step}</span>
        </li>
      ))}
    </ol>
  )
}
