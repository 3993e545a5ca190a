// deploy/Caddyfile, made from the hosting part of firebase.json: the same files, headers and ways to the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './os-process.ts'

interface Site {
  target: string
  headers: { source: string; headers: { key: string; value: string }[] }[]
  rewrites: ({ source: string } & ({ destination: string } | { function: object }))[]
}

/** The address each site is served at, and where the image of the sites has its files. */
const ADDRESS: Record<string, string> = { storefront: '{$STOREFRONT_URL}', admin: '{$ADMIN_URL}' }
const FOLDER = '{$SITES:/srv}'
/** Caddy ends connections to the server after this; the server keeps them longer. */
const KEEP_ALIVE = '120s'

/** Hosting's globs as regular expressions: `**` also crosses slashes, `@(a|b)` and `{a,b}` are one of these. */
export function patternOf(glob: string): { pattern: string; isNot: boolean } {
  const isNot = glob.startsWith('!')
  const pattern = glob
    .slice(isNot ? 1 : 0)
    .replace(/[.]/g, '\\.')
    .replace(/@\(/g, '(?:')
    .replace(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`)
    .replace(/\*\*|\*/g, star => (star === '**' ? '.*' : '[^/]*'))
  return { isNot, pattern: `^${pattern.startsWith('/') ? '' : '/?'}${pattern}$` }
}

/** `file` also asks that there is such a file: an answer that something is missing is not to be kept for a year. */
function matcher(name: string, globs: readonly string[], { file = false } = {}): string {
  const all = globs.map(patternOf)
  const isNot = all.every(each => each.isNot)
  const pattern = all.map(each => each.pattern).join('|')
  return `  @${name} {\n    ${isNot ? 'not ' : ''}path_regexp \`${pattern}\`\n${file ? '    file\n' : ''}  }\n`
}

/**
 * For so long a call waits for a server that is not there: while one takes the place of another it is a little slower. What
 * has reached a server is never sent again.
 */
const TRIED = '15s'

/**
 * Of several servers one that is gone, or stands still, is left out where CHECK is `health_uri /live`: else every second call
 * would first wait for a machine that no longer answers. One alone is never left out, and what `current` leads to can't be
 * asked before there is a call.
 */
const SERVER = `reverse_proxy {$SERVER:server:8787} {
      lb_try_duration ${TRIED}
      {$CHECK}
      health_interval 2s
      health_timeout 3s
      transport http {
        dial_timeout 2s
        keepalive ${KEEP_ALIVE}
      }
    }`

type Rewrite = Site['rewrites'][number]
const isServer = (rewrite: Rewrite) => 'function' in rewrite

/** Ways to the server that follow each other are one, so that its health is asked once. */
const waysOf = (rewrites: readonly Rewrite[]): Rewrite[][] =>
  rewrites.reduce<Rewrite[][]>((ways, rewrite) => {
    const last = ways.at(-1)
    if (last && isServer(rewrite) && last.every(isServer)) last.push(rewrite)
    else ways.push([rewrite])
    return ways
  }, [])

/**
 * Of two servers on one machine the one that `current` leads to gets new calls (deploy/switch.sh). Caddy looks at each call,
 * so it need not be told: a reload would close connections on which callers are just sending.
 */
const AT_WORK = `  vars server 127.0.0.1:{$FIRST_PORT:8787}
  @second file {
    root {$CURRENT:/srv/current}
    try_files second
  }
  vars @second server 127.0.0.1:{$SECOND_PORT:8788}
`

function siteText({ target, headers, rewrites }: Site): string {
  const headerLines = headers.flatMap(({ source, headers: all }, at) => [
    matcher(`headers${at}`, [source], { file: all.some(({ value }) => value.includes('immutable')) }),
    // What goes for everything gives way to what the server says itself: its page of the API has a policy of its own.
    ...all.map(({ key, value }) => `  header @headers${at} ${source === '**' ? '?' : ''}${key} \`${value}\`\n`),
  ])
  const wayLines = waysOf(rewrites).flatMap((way, at) => [
    matcher(
      `way${at}`,
      way.map(({ source }) => source),
    ),
    'destination' in way[0]!
      ? `  handle @way${at} {\n    try_files {path} ${way[0].destination}\n    file_server\n  }\n`
      : `  handle @way${at} {\n    ${SERVER}\n  }\n`,
  ])
  return [
    `${ADDRESS[target]} {\n  root * ${FOLDER}/${target}\n  encode zstd gzip\n  header Strict-Transport-Security max-age=31536000\n${AT_WORK}`,
    ...headerLines,
    ...wayLines,
    '  handle {\n    file_server\n  }\n}\n',
  ].join('')
}

/** Throws when firebase.json has a site that is unknown here. */
export function caddyfile(): string {
  const { hosting } = JSON.parse(readFileSync(join(projectRoot, 'firebase.json'), 'utf8')) as { hosting: Site[] }
  for (const { target } of hosting) if (!ADDRESS[target]) throw new Error(`deploy/Caddyfile does not know ${target}`)
  return `# Made from firebase.json by local/caddyfile.ts: change it there.\n${hosting.map(siteText).join('')}`
}
