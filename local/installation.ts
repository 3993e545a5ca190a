// The files in deploy/ that say what differs between installations, and what the sites are built with from them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { CHOSEN_IN_PRODUCTION } from 'functions/src/config/config.ts'
import { DEPLOY_PARAMS } from 'functions/src/config/deploy-params.ts'
import { aboutOf, environment } from 'functions/src/environment/environment.ts'
import { GATEWAYS } from 'functions/src/gateway/gateways.ts'
import { RATE_LIMIT, windowOf } from 'functions/src/http/rate-limit.ts'
import { SECRETS } from 'functions/src/pulse/secret-names.ts'
import { SLIP_PROVIDERS } from 'functions/src/slipcheck/providers.ts'
import { SUPPLIERS } from 'functions/src/supplier/suppliers.ts'
import { watcherVariables } from 'functions/src/watcher/variables.ts'
import { projectRoot } from './os-process.ts'

type Given = Record<string, string | undefined>

/** What only the sites need to know. */
const SITE = {
  VITE_FIREBASE_PROJECT_ID: 'The Firebase project.',
  VITE_FIREBASE_API_KEY: 'The API key of the project\'s web app, which is no secret: "Project settings", "Your apps".',
  VITE_FIREBASE_AUTH_DOMAIN:
    "Where Google and Facebook come back to, without https://: the shop's own name where Hosting answers it. Without it the project's own domain, to which not every browser can lead back.",
} as const
const OPTIONAL = ['VITE_FIREBASE_AUTH_DOMAIN', 'VITE_LIFF_ID']
/** What the sites call by another name than the server. */
const FROM_SERVER = {
  VITE_STOREFRONT_URL: 'STOREFRONT_URL',
  VITE_ADMIN_URL: 'ADMIN_URL',
  VITE_LIFF_ID: 'LINE_LIFF_ID',
} as const
/** A site that was built with one of these would talk to a stand-in. */
const DEVELOPMENT_ONLY = ['VITE_AUTH_EMULATOR_URL', 'VITE_LINE_EMULATOR_URL']

/** The values of `deploy/.env` and `deploy/secrets.env`, where those exist; variables of the process come before them. */
export function readInstallation(): Given {
  const files = ['.env', 'secrets.env'].map(name => join(projectRoot, 'deploy', name)).filter(existsSync)
  return Object.assign({}, ...files.map(file => parseEnv(readFileSync(file, 'utf8'))), process.env) as Given
}

/** What both sites are built with, and sentences that name what is missing or belongs to development. */
export function siteVariables(given: Given): { variables: Record<string, string>; flaws: string[] } {
  const sources = { ...Object.fromEntries(Object.keys(SITE).map(name => [name, name])), ...FROM_SERVER }
  const found = Object.entries(sources).map(([name, source]) => ({ name, source, value: given[source]?.trim() }))
  const flaws = found.flatMap(({ name, source, value }) => {
    if (!value) return OPTIONAL.includes(name) ? [] : [`${source} must be set`]
    if (Object.values<string>(DEVELOPMENT_VARIABLES).includes(value))
      return [`${source} holds the value of development`]
    if (name.endsWith('_URL') && URL.parse(value)?.protocol !== 'https:') return [`${source} must be an https address`]
    return []
  })
  const forbidden = DEVELOPMENT_ONLY.filter(name => given[name]?.trim()).map(name => `${name} must not be set`)
  const variables = Object.fromEntries(found.flatMap(({ name, value }) => (value ? [[name, value]] : [])))
  return { variables, flaws: [...flaws, ...forbidden] }
}

interface Line {
  name: string
  about: string
  /** The value that holds when it is not set; undefined for what has to be given. */
  standard?: string
  /** It has to stand in the file although it has a standard: else `firebase deploy` asks for it. */
  isWritten?: boolean
}

const NEEDED: readonly string[] = ['DATABASE_URL', ...CHOSEN_IN_PRODUCTION]

function serverLines(): Line[] {
  const own = Object.entries(environment.shape).flatMap(([name, schema]): Line[] => {
    const { about, isOurs } = aboutOf(schema)
    if (isOurs) return []
    const unset = schema.safeParse(undefined)
    const standard = NEEDED.includes(name) ? undefined : unset.success ? String(unset.data ?? '') : undefined
    return [{ name, about, standard }]
  })
  const chosen = Object.entries({ ...SLIP_PROVIDERS, ...SUPPLIERS, ...GATEWAYS }).flatMap(
    ([choice, { baseUrl, keys }]): Line[] => [
      ...keys.map(name => ({ name, about: `For ${choice}.`, standard: '' })),
      { name: baseUrl.variable, about: `For ${choice}.`, standard: baseUrl.standard },
    ],
  )
  const limits = Object.entries(RATE_LIMIT).map(([name, { variable }]): Line => {
    const { calls, seconds } = windowOf(name as keyof typeof RATE_LIMIT)
    return { name: variable, about: `Calls in ${seconds} seconds.`, standard: String(calls) }
  })
  return [...own, ...chosen, ...limits]
}

const siteLines = (): Line[] =>
  Object.entries(SITE).map(([name, about]) => ({ name, about, standard: OPTIONAL.includes(name) ? '' : undefined }))

const functionLines = (): Line[] =>
  Object.entries(DEPLOY_PARAMS).map(([name, { default: standard, description: about }]) => ({
    name,
    about,
    standard: String(standard),
    isWritten: true,
  }))

/** What the watcher is told on its own machine. */
function watcherLines(): Line[] {
  return Object.entries(watcherVariables.shape).map(([name, schema]) => {
    const unset = schema.safeParse(undefined)
    return { name, about: aboutOf(schema).about, standard: unset.success ? String(unset.data ?? '') : undefined }
  })
}

const textOf = ({ name, about, standard, isWritten }: Line): string =>
  `${wrap(about)}\n${standard === undefined || isWritten ? '' : '# '}${name}=${standard ?? ''}\n`

function wrap(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 100) lines.push('#')
    lines.push(`${lines.pop()} ${word}`)
  }
  return lines.join('\n')
}

/**
 * The texts of `deploy/env.example`, `deploy/secrets.example` and of the watcher's, from the tables that the programs read.
 * Everything is named; what has a standard is commented out.
 */
export function exampleFiles(): Record<'env.example' | 'secrets.example' | 'watch/watcher.env.example', string> {
  const all = serverLines()
  const plain = all.filter(({ name }) => !SECRETS.includes(name))
  const secret = all.filter(({ name }) => SECRETS.includes(name))
  const head = (title: string) => `${wrap(title)}\n`
  return {
    'env.example': [
      head('What differs between installations and is no secret. Copy it to deploy/.env and fill in what is open.'),
      head('── The sites'),
      ...siteLines().map(textOf),
      head('── The server'),
      ...plain.map(textOf),
      head('── Firebase Functions'),
      ...functionLines().map(textOf),
    ].join('\n'),
    'secrets.example': [
      head('The secrets. Copy it to deploy/secrets.env, fill it in and keep it away from others.'),
      ...secret.map(textOf),
    ].join('\n'),
    'watch/watcher.env.example': [
      head('What the watcher is told. Copy it to /etc/shop-watcher.env on its machine, for root alone.'),
      ...watcherLines().map(textOf),
    ].join('\n'),
  }
}
