import type { Game } from '@shop/shared/catalogue/endpoints.ts'

export const FILTER_KINDS = ['platform', 'region', 'language'] as const
export type FilterKind = (typeof FILTER_KINDS)[number]

export const FILTER_LABELS: Record<FilterKind, string> = { platform: 'แพลตฟอร์ม', region: 'ภูมิภาค', language: 'ภาษา' }

/** What the game list is narrowed to; an empty list of a kind means all. */
export type GameFilter = { q: string } & Record<FilterKind, string[]>

/** The filter in a page's address: `?q=pubg&platform=ios&region=th`. */
export function readGameFilter(search: URLSearchParams): GameFilter {
  return {
    q: search.get('q')?.trim() ?? '',
    platform: search.getAll('platform'),
    region: search.getAll('region'),
    language: search.getAll('language'),
  }
}

export function writeGameFilter(filter: GameFilter): URLSearchParams {
  const search = new URLSearchParams()
  if (filter.q) search.set('q', filter.q)
  for (const kind of FILTER_KINDS) for (const code of filter[kind]) search.append(kind, code)
  return search
}

const sharesOne = (wanted: string[], has: string[]) => wanted.length === 0 || wanted.some(code => has.includes(code))

/** Makes texts equal that differ only in case, width or the way a Thai vowel is encoded. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** All words by which a game is found, without their spaces: "free fire" and "freefire" mean the same. */
const wordsOf = ({ name, searchWords }: Game): string =>
  [name, ...searchWords].map(text => fold(text).replaceAll(/\s/g, '')).join(' ')

/** The games whose name or search words contain every word of the text, and which fit every kind of filter. */
export function filterGames(games: Game[], filter: GameFilter): Game[] {
  const wanted = fold(filter.q).split(/\s+/)
  return games.filter(
    game =>
      wanted.every(word => wordsOf(game).includes(word)) &&
      sharesOne(filter.platform, game.platforms) &&
      sharesOne(filter.region, game.regions) &&
      sharesOne(filter.language, game.languages),
  )
}

export const countChosen = (filter: GameFilter): number =>
  FILTER_KINDS.reduce((count, kind) => count + filter[kind].length, 0)
