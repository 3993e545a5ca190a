import * as z from 'zod'

/** The kinds of sources of lines. */
export const SOURCE_KINDS = ['file', 'feed'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** All lines of one kind of source, or of one file or key: "file", "feed:01a1f903-…". */
export const sourceText = z.string().regex(/^(file|feed)(:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/)

export function parseSource(text: string): { kind: SourceKind; id: string | null } {
  const [kind, id = null] = text.split(':') as [SourceKind, string?]
  return { kind, id }
}

export const writeSource = ({ kind, id }: { kind: SourceKind; id: string | null }): string =>
  id === null ? kind : `${kind}:${id}`
