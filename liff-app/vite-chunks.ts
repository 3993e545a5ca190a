// How the code of the storefront is divided: into few files, so that a page is not a chain of many small answers, of
// which a page loads little that only other pages need.

const ENTRY = /\/src\/main\.tsx$/
/** A page, a part of one that is loaded when it is opened, or the banner that any page may show. */
const SCREEN = /\/src\/\w+\/([\w-]+-(screen|panel)|top-up-sheet|resume-banner)\.tsx$/
const ICON = /\/lucide-react\/dist\/esm\/icons\//
/** What sends changes: the list of games sends none, and nearly every other page does. */
const OF_CHANGES = /\/@tanstack\/[\w-]+\/build\/modern\/(useMutation|mutationObserver)\.js$/
/**
 * All icons, all parts of Headless UI, and of the query library what reads lists without an end, are imported by one list, so
 * it can't be told whose they are. They come with who uses them.
 */
const LISTED =
  /\/(lucide-react\/dist\/esm\/icons|@headlessui\/react\/dist)\/|\/@tanstack\/.+\/(useInfiniteQuery|infiniteQueryObserver)\.js$/

/** What forms check by: no other page loads it. */
const OF_FORMS = /\/node_modules\/(zod|react-hook-form|@hookform)\/|\/(fields|line|field-problem)\.ts$/

interface Bundler {
  getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null
}

/** Finds what a module is loaded with: the code of the start, and files that are imported when they are needed. */
function rootsOf(id: string, bundler: Bundler, seen = new Set<string>()): string[] {
  if (ENTRY.test(id)) return [id]
  if (LISTED.test(id) || seen.has(id)) return []
  seen.add(id)
  const info = bundler.getModuleInfo(id)
  const own = info && info.dynamicImporters.length > 0 ? [id] : []
  return [...own, ...(info?.importers ?? []).flatMap(importer => rootsOf(importer, bundler, seen))]
}

/**
 * The files that several pages share, by the pages that need a module. In this order: whatever a module imports is needed by
 * at least the same pages, so it stands in the same file or in an earlier one.
 */
const SHARED: Record<string, (isOf: (...pages: string[]) => boolean) => boolean> = {
  base: isOf => isOf('login', 'registration', 'privacy') && isOf('purchase', 'payment', 'track'),
  ui: isOf => isOf('purchase') && isOf('payment', 'track'),
  buying: isOf => isOf('purchase'),
  orders: isOf => isOf('payment', 'terms') && isOf('track'),
  paying: isOf => isOf('payment'),
  order: isOf => isOf('track'),
  terms: isOf => isOf('terms'),
  after: isOf => isOf('thank-you', 'history'),
  account: isOf => isOf('login'),
}

const nameOf = (root: string) => /([\w-]+?)(-screen)?\.tsx?$/.exec(root)?.[1] ?? root

/** Finds the file that a module goes to; null for one that the bundler leaves with its only page, or puts in its own. */
function fileOf(id: string, bundler: Bundler): string | null {
  if (OF_FORMS.test(id)) return 'forms'
  if (ICON.test(id)) return 'icons'
  if (OF_CHANGES.test(id)) return 'base'
  const roots = rootsOf(id, bundler)
  if (roots.some(root => ENTRY.test(root))) return 'app'
  const screens = new Set(roots.filter(root => SCREEN.test(root)).map(nameOf))
  if (screens.size < 2) return null
  const isOf = (...pages: string[]) => pages.some(page => screens.has(page))
  return Object.keys(SHARED).find(file => SHARED[file]!(isOf)) ?? null
}

/** The groups of the bundler. What a module imports comes with it, unless a group with a higher priority has it. */
export const chunkGroups = ['app', 'icons', ...Object.keys(SHARED), 'forms'].map((file, index, { length }) => ({
  debugName: file,
  priority: length - index,
  name: (id: string, bundler: Bundler) => (fileOf(id, bundler) === file ? file : null),
}))
