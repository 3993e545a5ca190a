import type { ReadLine } from './read-rows.ts'

type KeyFacts = Pick<ReadLine, 'date' | 'time' | 'amountSatang' | 'balanceSatang'>

/**
 * Returns a key for each line that is the same in every export of an account: day, time, amount, balance, and a number
 * among equal lines of the file. Details are left out, because banks change their words. A file must begin with a whole
 * day, as banks' exports do, because one that begins between equal lines would number them differently.
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
