// What hosting itself must answer, on both sites: these rules of firebase.json no page would show to be wrong.
import { names } from './cloud.ts'

const SITES = [names.storefront, names.admin]
/** Uptime checks ask for these. Cloud Run keeps addresses that end in z for itself, so that only the first get through. */
const HEALTH = ['/health', '/ready', '/live']
/** This one answers 503, too, when something needs a person. */
const WATCH = '/pulse'
const KEPT_BY_CLOUD_RUN = ['/healthz', '/readyz', '/livez']

export async function requireHosting(): Promise<void> {
  const problems = await Promise.all(SITES.flatMap(name => [findAssetProblem(name), findHealthProblems(name)]))
  if (problems.flat().length > 0) throw new Error(problems.flat().join('\n'))
}

/** A page in place of a script would be kept by browsers as that script, for a year. */
async function findAssetProblem(name: string): Promise<string[]> {
  const reply = await fetch(`https://${name}/assets/gone-12345678.js`)
  await reply.body?.cancel()
  return reply.status === 404 ? [] : [`${name} answers for a missing asset with ${reply.status}`]
}

async function findHealthProblems(name: string): Promise<string[]> {
  const problems: string[] = []
  for (const path of [...HEALTH, WATCH, ...KEPT_BY_CLOUD_RUN]) {
    const reply = await fetch(`https://${name}${path}`)
    const isServers = reply.headers.get('content-type')?.includes('json') ?? false
    const kept = reply.headers.get('cache-control') ?? ''
    await reply.body?.cancel()
    if (!isServers) problems.push(`${name}${path} is not the server's word: ${reply.headers.get('content-type')}`)
    if (HEALTH.includes(path) && reply.status !== 200) problems.push(`${name}${path} answers ${reply.status}`)
    if (!/no-cache|no-store/.test(kept)) problems.push(`${name}${path} may be kept: ${kept}`)
  }
  return problems
}
