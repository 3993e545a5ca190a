// What the builds of both sites share.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { loadEnv, type Plugin, type ServerOptions } from 'vite'
import { DEVELOPMENT_VARIABLES, type SiteVariable } from './variables.ts'

/** How the paths of the server begin; every other path is a page of the site. Callables have no common beginning. */
export async function listApiPaths(): Promise<string[]> {
  const shared = dirname(fileURLToPath(import.meta.resolve('@shop/shared/endpoint.ts')))
  const contracts: Record<string, EndpointShape | undefined>[] = await Promise.all(
    globSync('*/endpoints.ts', { cwd: shared }).map(file => import(`@shop/shared/${file}`)),
  )
  const callables = contracts.flatMap(calls => Object.values(calls)).flatMap(call => (call?.callable ? call.path : []))
  return ['/romons.', '/openapi.json', '/docs', '/files', '/preview', '/reseller/', ...callables]
}

/** Settings of the site's development server: its port, and the paths that it passes on to API_URL. */
export async function servedOn(port: number): Promise<Pick<ServerOptions, 'port' | 'strictPort' | 'proxy'>> {
  const target = process.env.API_URL ?? 'http://localhost:8787'
  const paths = await listApiPaths()
  return { port, strictPort: true, proxy: Object.fromEntries(paths.map(path => [path, { target }])) }
}

/** Gives development the variables that are missing. A build without one of `names` fails and tells which. */
export function siteVariables(...names: SiteVariable[]): Plugin {
  return {
    name: 'site-variables',
    config({ envDir, root = '.' }, { command, mode }) {
      const given = loadEnv(mode, envDir || root, 'VITE_')
      const missing = names.filter(name => !given[name])
      if (command === 'build' && missing.length > 0) {
        throw new Error(`A build needs ${missing.join(', ')}: web/src/variables.ts says what for.`)
      }
      const { VITE_FIREBASE_AUTH_DOMAIN: authDomain } = given
      const folder = basename(resolve(root))
      if (command === 'build' && authDomain && !isOwnDomain(authDomain, folder, given.VITE_STOREFRONT_URL))
        requireFramed(authDomain, folder)
      const standards = missing.map(name => [`import.meta.env.${name}`, JSON.stringify(DEVELOPMENT_VARIABLES[name])])
      return { define: Object.fromEntries(standards) }
    },
  }
}

/** Whether people sign in at the storefront's own domain, which its policy allows without a name. */
export const isOwnDomain = (authDomain: string, folder: string, storefrontUrl = ''): boolean =>
  folder === 'liff-app' && URL.parse(storefrontUrl)?.host === authDomain

/** Firebase asks Google and Facebook from a frame of its own domain, which the site's policy must allow by name. */
export function requireFramed(authDomain: string, folder: string, config = readHosting()): void {
  const site = config.find(each => each.public.startsWith(`${folder}/`))
  const policy = site?.headers.flatMap(({ headers }) => headers).find(({ key }) => key === 'Content-Security-Policy')
  const framed = /frame-src ([^;]*)/.exec(policy?.value ?? '')?.[1]?.split(' ') ?? []
  const isFramed = framed.some(source =>
    source.startsWith('https://*.')
      ? authDomain.endsWith(source.slice('https://*'.length))
      : source === `https://${authDomain}`,
  )
  if (!isFramed)
    throw new Error(
      `VITE_FIREBASE_AUTH_DOMAIN is ${authDomain}: name https://${authDomain} in frame-src of ${folder}'s Content-Security-Policy in firebase.json.`,
    )
}

interface HostedSite {
  public: string
  headers: { headers: { key: string; value: string }[] }[]
}

function readHosting(): HostedSite[] {
  const file = fileURLToPath(new URL('../../firebase.json', import.meta.url))
  return (JSON.parse(readFileSync(file, 'utf8')) as { hosting: HostedSite[] }).hosting
}

/**
 * Preloads the font in built pages, because `font-display: optional` shows it only if it is there at the first paint. In
 * development it would always come too late, so there it is swapped in.
 */
export function shopFont(): Plugin[] {
  return [
    {
      name: 'preload-font',
      apply: 'build',
      transformIndexHtml: {
        order: 'post',
        handler: (_html, { bundle }) =>
          Object.keys(bundle ?? {})
            .filter(file => file.endsWith('.woff2'))
            .map(file => ({
              tag: 'link',
              attrs: {
                rel: 'preload',
                href: `/${file}`,
                as: 'font',
                type: 'font/woff2',
                crossorigin: true,
                // Nearly all words are Thai.
                ...(!file.includes('-thai-wght') && { fetchpriority: 'low' }),
              },
              injectTo: 'head-prepend' as const,
            })),
      },
    },
    {
      name: 'swap-font',
      apply: 'serve',
      transform: {
        filter: { id: /\.css(\?|$)/, code: 'font-display: optional' },
        handler: code => ({ code: code.replaceAll('font-display: optional', 'font-display: swap'), map: null }),
      },
    },
  ]
}
