import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { classes } from './classes.ts'

interface Look {
  kind?: 'primary' | 'secondary' | 'tint' | 'quiet' | 'destructive'
  /** `large` is 52 px high, the others 44; `inline` is the narrowest. */
  size?: 'large' | 'small' | 'inline'
  /** The button takes the whole width of its place. */
  block?: boolean
  icon?: ReactNode
}

const base =
  'relative inline-flex items-center justify-center gap-2 border text-center transition-colors [&_svg]:flex-none'
const kinds = {
  primary: 'border-transparent bg-accent text-white',
  secondary: 'border-control bg-white text-ink',
  tint: 'border-transparent bg-accent-tint text-accent',
  quiet: 'border-transparent text-accent',
  destructive: 'border-transparent text-bad',
}
const reactions = {
  primary: 'hover:bg-accent-hover active:bg-accent-press',
  secondary: 'hover:bg-canvas active:bg-fill',
  tint: 'hover:bg-accent-line/60 active:bg-accent-line',
  quiet: 'hover:bg-accent-tint active:bg-accent-line',
  destructive: 'hover:bg-bad-tint active:bg-bad-tint',
}
const sizes = {
  large: 'min-h-13 rounded-control px-5 py-2 text-button @max-[15rem]:px-3',
  small: 'min-h-11 rounded-control px-3.5 py-1.5 text-label',
  inline: 'min-h-11 rounded-inline px-3 py-1 text-small font-semibold',
}

/** The classes of a button. `off` makes any kind grey, for a button that can't be used yet. */
function look({ kind = 'primary', size = 'large', block }: Look, off = false): string {
  const colours = off ? 'border-transparent bg-fill text-ink-3' : `${kinds[kind]} ${reactions[kind]}`
  return classes(base, sizes[size], colours, block && 'w-full')
}

/** The text of a large button whose work takes longer than ten seconds. */
const STILL_BUSY = 'ยังทำอยู่ รอสักครู่..'

const Label = ({ children }: { children: ReactNode }) => <span className="trim-label min-w-0">{children}</span>

type ButtonProps = Look &
  ComponentProps<'button'> & {
    /** The work is under way: the button keeps its width, shows a spinner and ignores taps. */
    busy?: boolean
    busyLabel?: string
    /** Says what is still missing. It replaces the label, and a tap calls `onUnmet` instead of `onClick`. */
    unmet?: string | false
    onUnmet?: () => void
  }

/** A button that can say why it does nothing. While it is off or busy, `aria-disabled` keeps it reachable by keyboard. */
export function Button(props: ButtonProps) {
  const {
    kind,
    size,
    block,
    icon,
    busy,
    busyLabel = 'กำลังบันทึก',
    unmet,
    onUnmet,
    onClick,
    children,
    className,
    ...rest
  } = props
  const off = Boolean(unmet) || props.disabled
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy || unmet) {
      event.preventDefault()
      if (!busy) onUnmet?.()
      return
    }
    onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classes(look({ kind, size, block }, off), className)}
      aria-disabled={busy || off || undefined}
      aria-busy={busy || undefined}
      onClick={click}
    >
      <span className={classes('contents', busy && '[&>*]:invisible')}>
        {!unmet && icon}
        <Label>{unmet || children}</Label>
      </span>
      {busy && (
        <span className="absolute inset-0 flex items-center justify-center gap-2">
          <LoaderCircle size={20} className="animate-[spin_0.9s_linear_infinite]" />
          {size && size !== 'large' ? (
            <span className="sr-only">{busyLabel}</span>
          ) : (
            <span className="grid [&>*]:[grid-area:1/1] [&>*]:whitespace-nowrap">
              <span className="until-10s trim-label">{busyLabel}</span>
              <span className="after-10s trim-label text-small" aria-hidden>
                {STILL_BUSY}
              </span>
            </span>
          )}
        </span>
      )}
    </button>
  )
}

/** The properties of a link, with its look as classes and its icon beside its label. */
const dress = ({ kind, size, block, icon, children, className, ...rest }: Look & ComponentProps<'a'>) => ({
  ...rest,
  className: classes(look({ kind, size, block }), className),
  children: (
    <>
      {icon}
      <Label>{children}</Label>
    </>
  ),
})

/** A link to another page of this app that looks like a button. */
export const ButtonLink = ({ to, ...props }: Look & LinkProps) => <Link to={to} {...dress(props)} />

/** A link that leaves this app (LINE, a file, the admin site) and looks like a button. */
export const ButtonAnchor = (props: Look & ComponentProps<'a'>) => <a {...dress(props)} />
