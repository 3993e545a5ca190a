import type { Catalogue } from './snapshot.ts'

/**
 * Keeps answers that are made from a catalogue, by a name, as long as that catalogue and its day are the latest. Returns
 * those of a catalogue. `told` is the version that clients are told, which changes with the day, too.
 */
export function keepAnswers<Answer>(): (catalogue: Catalogue, told: number) => Map<string, Answer> {
  const made = new WeakMap<Catalogue, { told: number; answers: Map<string, Answer> }>()
  return (catalogue, told) => {
    let kept = made.get(catalogue)
    if (kept?.told !== told) {
      kept = { told, answers: new Map() }
      made.set(catalogue, kept)
    }
    return kept.answers
  }
}
