import { Gamepad2 } from 'lucide-react'
import { classes } from './classes.ts'

interface GameArtProps {
  picture: string
  /** The classes that set the size, e.g. `size-11`. */
  className: string
  /** Whether the picture is loaded at once; otherwise it is loaded when it comes near the screen. */
  eager?: boolean
}

/**
 * The square picture of a game, or a sign for one without. The game's name always stands beside it, so screen readers
 * skip it.
 */
export const GameArt = ({ picture, className, eager = true }: GameArtProps) =>
  picture ? (
    <img
      src={picture}
      alt=""
      width={96}
      height={96}
      loading={eager ? 'eager' : 'lazy'}
      decoding={eager ? 'auto' : 'async'}
      className={classes('flex-none bg-fill object-cover', className)}
    />
  ) : (
    <span aria-hidden className={classes('grid flex-none place-items-center bg-fill text-ink-3', className)}>
      <Gamepad2 className="size-2/5" strokeWidth={1.5} />
    </span>
  )
