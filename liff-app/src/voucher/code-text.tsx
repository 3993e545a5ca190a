import { groupsOf } from '@shop/shared/order/codes.ts'

const isDigit = (letter: string) => /\d/.test(letter)

/**
 * A code in a face in which every letter is told from the others: all of one width, a slashed zero where the font has
 * one, and digits in another colour, so that 0 and O, 1 and l differ on every phone. The gaps are drawn, not written:
 * what somebody marks and copies has none.
 */
export function CodeText({ code }: { code: string }) {
  return (
    <>
      <span className="sr-only">{[...code].join(' ')}</span>
      <span
        translate="no"
        aria-hidden="true"
        className="wrap-anywhere font-medium font-mono text-section slashed-zero tracking-wider"
      >
        {groupsOf(code).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups of one code never move
          <span key={at} className="mr-2 inline-block max-w-full">
            {[...group].map((letter, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor do its letters
              <span key={nth} className={isDigit(letter) ? 'text-accent' : undefined}>
                {letter}
              </span>
            ))}
          </span>
        ))}
      </span>
    </>
  )
}
