import * as z from 'zod'

/** One of several outside services that do the same for the shop: where it is asked, with which keys, and by what. */
export interface Choice<Given, Made> {
  /** The variable that holds its base URL, and what that is without one. */
  baseUrl: { variable: `${string}_URL`; standard: string }
  /** The variables without which it can't be asked. */
  keys: readonly string[]
  make(ask: Given & { baseUrl: string; keys: Readonly<Record<string, string>> }): Made
}

/** The chosen one, with what the configuration says of it. */
export interface Chosen<Name extends string = string> {
  name: Name
  baseUrl: string
  keys: Readonly<Record<string, string>>
}

type Environment = Record<string, string | undefined>

/** An entry of a table of choices whose maker knows its keys by name. */
export const choice = <const Key extends string, Given, Made>(entry: {
  baseUrl: Choice<Given, Made>['baseUrl']
  keys: readonly Key[]
  make(ask: Given & { baseUrl: string; keys: Readonly<Record<Key, string>> }): Made
}): Choice<Given, Made> => entry

/**
 * Reads what a variable chooses from a table; null for "off".
 * @throws Error naming the keys that are missing, or a base URL that is none
 */
export function readChoice<Name extends string>(
  chooser: string,
  name: Name | 'off',
  table: Record<Name, Choice<never, unknown>>,
  env: Environment,
): Chosen<Name> | null {
  if (name === 'off') return null
  const { baseUrl, keys } = table[name]
  const missing = keys.filter(key => env[key] === undefined)
  if (missing.length > 0) throw new Error(`configuration: ${chooser} needs ${missing.join(' and ')}`)
  const url = z.url().safeParse(env[baseUrl.variable] ?? baseUrl.standard)
  if (!url.success) throw new Error(`configuration: ${baseUrl.variable} must be a URL`)
  return { name, baseUrl: url.data, keys: Object.fromEntries(keys.map(key => [key, env[key]!])) }
}
