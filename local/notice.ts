// NOTICE: what others made and this shop passes on, made from package-lock.json.
import { type Locked, listNeeded, readLockFile } from 'functions/lock-file.ts'

/** The packages whose code runs in the sites or the server. What they need comes with them. */
const WORKSPACES = ['functions', 'liff-app', 'admin-web', 'shared', 'web']
/** It is installed beside the server, but only Firebase's tools and the entry point of Functions look for it. */
const INSTALLED_TOO = ['firebase-functions']
/** The sites are built with these; nothing of them goes into the sites but a few lines of their own. */
const BUILD_TOOLS = ['vite', '@vitejs/plugin-react', '@tailwindcss/vite']

const HEAD = `This shop contains the work of others: the packages below are bundled into its two sites and its server, or are installed
beside the server. Each stands here under the licence that it names for itself, as an SPDX expression where it gives one.
The text of a licence, and whose work it is, stands in the package: LICENSE, NOTICE or README in its folder of
node_modules. Packages for a processor or an operating system are listed for all of them; one is installed.

Made from package-lock.json by local/notice.ts: change nothing here.
`
const UNNAMED = 'No licence named'
const WORDS: Record<string, string> = {
  [UNNAMED]: 'The package.json of these names no licence. What is granted stands in the LICENSE file of each.',
  'SEE LICENSE IN README.md':
    'Parts of LIFF, the SDK of LINE. Its README says that whoever uses them agrees to the LINE Developers Agreement.',
}

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Everything that the shop passes on, by its place in node_modules. */
export function listPassedOn(): Map<string, Locked> {
  const { packages } = readLockFile()
  const places = WORKSPACES.flatMap(workspace => {
    const names = Object.keys(packages[workspace]!.dependencies ?? {}).filter(name => !BUILD_TOOLS.includes(name))
    return [...listNeeded(packages, names, workspace)]
  }).concat([...listNeeded(packages, INSTALLED_TOO)])
  // An empty package stands for each that the shop doesn't use.
  const kept = [...new Set(places)].filter(place => packages[place]!.resolved !== 'file:local/empty')
  return new Map(kept.map(place => [place, packages[place]!]))
}

export function notice(): string {
  const groups = Map.groupBy(listPassedOn(), ([, { license }]) => license ?? UNNAMED)
  const texts = [...groups].sort().map(([license, packages]) => {
    const lines = new Set(packages.map(([place, { version }]) => `  ${nameOf(place)} ${version}`).sort())
    const words = WORDS[license] ? `${WORDS[license]}\n` : ''
    return `\n${license}\n${words}${[...lines].join('\n')}\n`
  })
  return HEAD + texts.join('')
}
