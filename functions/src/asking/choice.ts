import * as z from 'zod'
import { valuesOf } from './keys.ts'

/**
 * One of several outside services that can do the same work for the shop: its address, its keys and how to make its
 * client.
 */
export interface Choice<Given, Made> {
  /** The variable that holds its base URL, and the URL that is used without one. */
  baseUrl: { variable: `${string}_URL`; standard: string }
  /** The variables that it can't work without. */
  keys: readonly string[]
  make(ask: Given & Access<string>): Made
}

/** How a service is reached and entered. */
export interface Access<Key extends string> {
  baseUrl: string
  /** The newest first; several while one takes the place of another. */
  keys: readonly Readonly<Record<Key, string>>[]
  /** Called with the keys that the service has accepted. */
  onAccepted?: (keys: Readonly<Record<string, string>>) => Promise<void>
}

/** The chosen service with its values from the configuration. */
export interface Chosen<Name extends string = string> {
  name: Name
  baseUrl: string
  keys: Access<string>['keys']
}

type Environment = Record<string, string | undefined>

/** Makes an entry of a table of choices, so that the maker knows its keys by name. */
export const choice = <const Key extends string, Given, Made>(entry: {
  baseUrl: Choice<Given, Made>['baseUrl']
  keys: readonly Key[]
  make(ask: Given & Access<Key>): Made
}): Choice<Given, Made> & { keys: readonly Key[] } => entry

/** Reads several entries of a table, like `readChoice` reads one. */
export function readChoices<Name extends string>(
  chooser: string,
  names: readonly Name[],
  table: Record<Name, Choice<never, unknown>>,
  env: Environment,
): { chosen: Chosen<Name>[]; flaws: string[] } {
  const all = names.map(name => readChoice(chooser, name, table, env))
  return { chosen: all.flatMap(({ chosen }) => chosen ?? []), flaws: all.flatMap(({ flaws }) => flaws) }
}

/** Reads which entry of a table a variable chooses; null for "off". Flaws name missing keys or an invalid base URL. */
export function readChoice<Name extends string>(
  chooser: string,
  name: Name | 'off',
  table: Record<Name, Choice<never, unknown>>,
  env: Environment,
): { chosen: Chosen<Name> | null; flaws: string[] } {
  if (name === 'off') return { chosen: null, flaws: [] }
  const { baseUrl, keys } = table[name]
  const values = keys.map(key => valuesOf(env[key] ?? ''))
  const missing = keys.filter((_, at) => values[at]!.length === 0)
  const most = Math.max(...values.map(({ length }) => length))
  const uneven = keys.filter((_, at) => missing.length === 0 && ![1, most].includes(values[at]!.length))
  const url = z.url().safeParse(env[baseUrl.variable] ?? baseUrl.standard)
  const flaws = [
    ...(missing.length > 0 ? [`${chooser} needs ${missing.join(' and ')}`] : []),
    ...uneven.map(key => `${key} must hold one value, or ${most} as the other keys of ${name}`),
    ...(url.success ? [] : [`${baseUrl.variable} must be a URL`]),
  ]
  if (!url.success || flaws.length > 0) return { chosen: null, flaws }
  const sets = Array.from({ length: most }, (_, set) =>
    Object.fromEntries(keys.map((key, at) => [key, values[at]![set] ?? values[at]![0]!])),
  )
  return { chosen: { name, baseUrl: url.data, keys: sets }, flaws }
}
