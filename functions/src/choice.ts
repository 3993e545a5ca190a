import * as z from 'zod'

/**
 * One of several outside services that can do the same work for the shop: its address, its keys and how to make its
 * client.
 */
export interface Choice<Given, Made> {
  /** The variable that holds its base URL, and the URL that is used without one. */
  baseUrl: { variable: `${string}_URL`; standard: string }
  /** The variables that it can't work without. */
  keys: readonly string[]
  make(ask: Given & { baseUrl: string; keys: Readonly<Record<string, string>> }): Made
}

/** The chosen service with its values from the configuration. */
export interface Chosen<Name extends string = string> {
  name: Name
  baseUrl: string
  keys: Readonly<Record<string, string>>
}

type Environment = Record<string, string | undefined>

/** Makes an entry of a table of choices, so that the maker knows its keys by name. */
export const choice = <const Key extends string, Given, Made>(entry: {
  baseUrl: Choice<Given, Made>['baseUrl']
  keys: readonly Key[]
  make(ask: Given & { baseUrl: string; keys: Readonly<Record<Key, string>> }): Made
}): Choice<Given, Made> => entry

/** Reads which entry of a table a variable chooses; null for "off". Flaws name missing keys or an invalid base URL. */
export function readChoice<Name extends string>(
  chooser: string,
  name: Name | 'off',
  table: Record<Name, Choice<never, unknown>>,
  env: Environment,
): { chosen: Chosen<Name> | null; flaws: string[] } {
  if (name === 'off') return { chosen: null, flaws: [] }
  const { baseUrl, keys } = table[name]
  const missing = keys.filter(key => env[key] === undefined)
  const url = z.url().safeParse(env[baseUrl.variable] ?? baseUrl.standard)
  const flaws = [
    ...(missing.length > 0 ? [`${chooser} needs ${missing.join(' and ')}`] : []),
    ...(url.success ? [] : [`${baseUrl.variable} must be a URL`]),
  ]
  if (!url.success || flaws.length > 0) return { chosen: null, flaws }
  return { chosen: { name, baseUrl: url.data, keys: Object.fromEntries(keys.map(key => [key, env[key]!])) }, flaws }
}
