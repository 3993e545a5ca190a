import type { ReadLine } from './read-rows.ts'

type KeyFacts = Pick<ReadLine, 'date' | 'time' | 'amountSatang' | 'balanceSatang'>

/**
 * What tells the lines of one account apart, the same in every export that has them: day, time, amount, balance after, and
 * the how-manieth of its equals in its file. Details are no part: banks write them in changing words. Holds as long as a
 * file begins with a whole day, as banks' exports do: an export from the middle of equal lines counts them anew.
 */
export function lineKeys(lines: readonly KeyFacts[]): string[] {
  const counts = new Map<string, number>()
  return lines.map(({ date, time, amountSatang, balanceSatang }) => {
    const facts = [date, time ?? '-', amountSatang, balanceSatang ?? '-'].join(' ')
    const nth = (counts.get(facts) ?? 0) + 1
    counts.set(facts, nth)
    return `${facts} ${nth}`
  })
}
