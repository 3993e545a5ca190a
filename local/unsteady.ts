// Which test files may fail once. What is not named here and fails has failed.

/** A test file that fails now and then without a fault of the product, until somebody has mended it. */
export interface Unsteady {
  /** From the project's root, e.g. "functions/src/order/placing/rush.test.ts". */
  file: string
  why: string
  /** The last day, e.g. "2026-12-24". After it the entry fails the checks. */
  until: string
}

/** All of them. A random test belongs here never: its seed says what it did. */
export const UNSTEADY: readonly Unsteady[] = []

/** What the machines of public hosts say of themselves. `CI` alone is set by `.ci/run`, on any machine. */
const PUBLIC_HOSTS = ['GITHUB_ACTIONS', 'GITLAB_CI', 'CIRCLECI', 'TF_BUILD', 'BITBUCKET_BUILD_NUMBER'] as const

/** Tells whether a run is on a machine where everybody's word depends on it: nothing is tried again there. */
export const isPublicHost = (env: NodeJS.ProcessEnv): boolean => PUBLIC_HOSTS.some(name => env[name])

/** The entries whose last day is over. @param today e.g. "2026-12-24" */
export const overdue = (list: readonly Unsteady[], today: string): Unsteady[] =>
  list.filter(({ until }) => until < today)

/** Of the files that failed, those that may be tried once more. */
export function mayTryAgain(
  failed: readonly string[],
  list: readonly Unsteady[],
  { today, env }: { today: string; env: NodeJS.ProcessEnv },
): string[] {
  if (isPublicHost(env)) return []
  const named = new Set(list.filter(({ until }) => until >= today).map(({ file }) => file))
  return [...new Set(failed)].filter(file => named.has(file))
}
