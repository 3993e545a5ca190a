import type { Tone } from '@shop/shared/order/status.ts'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const tones: Record<Tone, string> = {
  neutral: 'bg-fill text-ink-2',
  accent: 'bg-accent-tint text-accent',
  ok: 'bg-ok-tint text-ok',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
}

/** A state in words. The colour only repeats what they say. */
export function StatusTag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex min-h-5.5 items-center whitespace-nowrap rounded-tag px-2 py-0.5 font-semibold text-note',
        tones[tone],
      )}
    >
      <span className="trim-label">{children}</span>
    </span>
  )
}
