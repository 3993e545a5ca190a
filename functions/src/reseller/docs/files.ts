import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The sections of the guide, in its order. Each is a file beside this one, and one of the same name in `th`; the name is its anchor. */
export const SECTIONS = [
  'start',
  'keys',
  'test-mode',
  'orders',
  'money',
  'codes',
  'errors',
  'limits',
  'webhooks',
  'versions',
  'changelog',
] as const
export type SectionId = (typeof SECTIONS)[number]

/** What the page loads, and what it is. */
export const ASSETS = {
  'guide.css': 'text/css; charset=utf-8',
  'blocks.css': 'text/css; charset=utf-8',
  'guide.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
} as const
type Asset = keyof typeof ASSETS

/** The programs of examples/reseller: what is read here is what is run. */
export const EXAMPLES = [
  'quickstart.sh',
  'quickstart.mjs',
  'quickstart.py',
  'client.ts',
  'bot.ts',
  'schema.d.ts',
  'README.md',
  'package.json',
] as const
export type Example = (typeof EXAMPLES)[number]

/** The build puts all of them into this folder beside the packaged server. */
export const PACKED_FOLDER = 'reseller-docs'

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where the files of the guide stand during development. */
export const listGuideFiles = (): { name: string; path: string }[] => [
  ...SECTIONS.flatMap(id => [`${id}.md`, `th/${id}.md`]).map(name => ({ name, path: fileAt(name) })),
  ...Object.keys(ASSETS).map(name => ({ name, path: fileAt(name) })),
  ...EXAMPLES.map(name => ({ name: `examples/${name}`, path: fileAt(`../../../../examples/reseller/${name}`) })),
]

/** Reads a file of the guide as text. */
export function readGuideFile(name: `${'' | 'th/'}${SectionId}.md` | Asset | `examples/${Example}`): Promise<string> {
  const packed = fileAt(PACKED_FOLDER)
  if (existsSync(packed)) return readFile(join(packed, name), 'utf8')
  return readFile(listGuideFiles().find(file => file.name === name)!.path, 'utf8')
}
