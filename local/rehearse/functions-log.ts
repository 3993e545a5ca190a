// What functions-host.ts says of itself between the functions' own lines, and what of it all is a fault.

/** Said by names.ts. */
const NOBODY = 'nobody stands in for '
export const ANSWERING = 'functions answer'
export const SCHEDULED = 'scheduled: '
export const RAN = 'ran: '

/** It takes work for most of a minute, longer than the rehearsal: what it did is seen in the order. */
const LONGER = 'drainoutbox'

const namesIn = (log: string, word: string): string[] =>
  log.split('\n').flatMap(line => (line.startsWith(word) ? [line.slice(word.length)] : []))

/** Sentences about scheduled functions that never ended well, errors that were logged, and names nobody stands in for. */
export function findFaults(log: string): string[] {
  const ran = namesIn(log, RAN)
  const late = namesIn(log, SCHEDULED).filter(name => name !== LONGER && !ran.includes(name))
  const told = log.split('\n').filter(line => line.includes('"severity":"ERROR"') || line.startsWith(NOBODY))
  return [...late.map(name => `${name} never ended well`), ...told]
}
