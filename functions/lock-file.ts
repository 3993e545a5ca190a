// Which packages of the project's package-lock.json others need to run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Locked {
  version?: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  link?: boolean
  resolved?: string
  dev?: boolean
  devOptional?: boolean
}

interface LockFile {
  lockfileVersion: number
  packages: Record<string, Locked>
}

export const readLockFile = (): LockFile =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as LockFile

/** The places of these packages and of all that they need, as one finds them from a folder. Links are left out. */
export function listNeeded(packages: LockFile['packages'], names: readonly string[], folder = ''): Set<string> {
  const places = new Set<string>()
  const add = (wanted: string, from: string): void => {
    const place = placeOf(packages, wanted, from)
    // Packages for other platforms may be missing.
    if (!place || places.has(place) || packages[place]!.link) return
    places.add(place)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place]!
    const peers = Object.keys(peerDependencies ?? {}).filter(name => !peerDependenciesMeta?.[name]?.optional)
    for (const each of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(each, place)
  }
  for (const each of names) add(each, folder)
  return places
}

/** Finds where a package loads another one from: its own node_modules folder, or one of those around it. */
function placeOf(packages: LockFile['packages'], wanted: string, from: string): string | undefined {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf('/node_modules/')))) {
    const place = `${around && `${around}/`}node_modules/${wanted}`
    if (packages[place]) return place
    if (!around) return undefined
  }
}
