import type { StatsFs } from 'node:fs'
import { statfs as askSystem } from 'node:fs/promises'
import { within } from '../asking/within.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** The disks that it lives on, as far as this process sees them. */
    disks: LookAtDisks
  }
}

/** How full a disk is. */
interface Disk {
  path: string
  percent: number
}
/** Looks at the disks that the shop lives on, as far as this process sees them. */
export type LookAtDisks = () => Promise<Disk[]>

/** A disk that does not answer is as good as full, and nobody waits for it. */
const ANSWER_MS = 300
const FULL = 100
/** With less room left, a night's work may fill a disk. */
export const MOST_PERCENT = 90

type System = Pick<StatsFs, 'blocks' | 'bfree' | 'bavail' | 'files' | 'ffree'>

/** What is used of what an ordinary program may use, as `df` tells it: of the room, or of the names of files. */
function percentOf({ blocks, bfree, bavail, files, ffree }: System): number {
  const used = blocks - bfree
  const room = used + bavail === 0 ? 0 : used / (used + bavail)
  const names = files === 0 ? 0 : (files - ffree) / files
  return Math.ceil(Math.max(room, names) * FULL)
}

/** A path that can't be read takes nothing: its disk is gone, or was never there. */
export const openDisks =
  (paths: readonly string[], statfs: (path: string) => Promise<System> = path => askSystem(path)): LookAtDisks =>
  () =>
    Promise.all(
      [...new Set(paths)].map(async path => {
        const percent = statfs(path).then(percentOf, () => FULL)
        return { path, percent: await within(ANSWER_MS, percent, () => FULL) }
      }),
    )
