// `npm run build`: what is uploaded, both sites and the server, with the values of deploy/.env. `-- storefront` and the
// like build one of them: `firebase deploy` does so itself, so that a site of another build is never uploaded.
import { execFileSync } from 'node:child_process'
import { readInstallation, siteVariables } from './installation.ts'
import { projectRoot } from './os-process.ts'

const SITES = { storefront: 'liff-app', admin: 'admin-web' }
const BUILDS = {
  storefront: () => buildSite(SITES.storefront),
  admin: () => buildSite(SITES.admin),
  server: () => run('node', ['functions/build.ts'], process.env),
}

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !(name in BUILDS))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}, but: ${Object.keys(BUILDS).join(', ')}`)

const { variables, flaws } = siteVariables(readInstallation())
const buildsSite = asked.length === 0 || asked.some(name => name in SITES)
if (buildsSite && flaws.length > 0) {
  console.error(`The sites can't be built for customers (deploy/.env):\n${flaws.map(flaw => `  ${flaw}`).join('\n')}`)
  process.exit(1)
}
for (const [name, build] of Object.entries(BUILDS)) if (asked.length === 0 || asked.includes(name)) build()

function buildSite(folder: string): void {
  run('vite', ['build', folder, '--logLevel', 'warn'], { ...process.env, ...variables })
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv): void {
  execFileSync(program, args, { cwd: projectRoot, env, stdio: 'inherit' })
}
