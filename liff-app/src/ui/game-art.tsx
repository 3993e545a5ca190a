import { classes } from './classes.ts'

interface GameArtProps {
  picture: string
  /** Classes that give the size, e.g. `size-11`. */
  className: string
  /** The first pictures of a page load at once, the rest when they come near. */
  eager?: boolean
}

/** A game's square picture; its name always stands beside, so screen readers skip this. */
export const GameArt = ({ picture, className, eager = true }: GameArtProps) => (
  <img
    src={picture}
    alt=""
    width={96}
    height={96}
    loading={eager ? 'eager' : 'lazy'}
    decoding={eager ? 'auto' : 'async'}
    className={classes('flex-none bg-fill object-cover', className)}
  />
)
