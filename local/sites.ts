// Both sites as builds, for a stack that serves them so.
import { once } from 'node:events'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPMENT_VARIABLES } from '@shop/web/variables.ts'
import { projectId } from './firebase-emulators.ts'
import { demoLine } from './line-emulator/demo.ts'
import { listenTo, projectRoot, spawnNode } from './os-process.ts'
import type { Ports } from './ports.ts'

/** The sites, and in which folder of the project each has its sources. */
export const SITES = { storefront: 'liff-app', admin: 'admin-web' } as const
export type Site = keyof typeof SITES

export const vite = join(projectRoot, 'node_modules/vite/bin/vite.js')

/** Of all ports of a stack those whose addresses are built into the sites. */
const PORTS_IN_SITES = ['storefront', 'admin', 'authEmulator', 'lineEmulator'] as const satisfies (keyof Ports)[]

/** What a site of a stack is told, whether it is built or served from its sources. */
export const variablesOf = (ports: Ports, isBuilt: boolean): Record<string, string> => ({
  // Vitest would hand its own on, with which antd gives all elements the same id.
  NODE_ENV: isBuilt ? 'production' : 'development',
  VITE_FIREBASE_PROJECT_ID: projectId,
  VITE_FIREBASE_API_KEY: DEVELOPMENT_VARIABLES.VITE_FIREBASE_API_KEY,
  VITE_STOREFRONT_URL: originOf(ports.storefront),
  VITE_ADMIN_URL: originOf(ports.admin),
  VITE_AUTH_EMULATOR_URL: originOf(ports.authEmulator),
  VITE_LIFF_ID: demoLine.liffId,
  VITE_LINE_EMULATOR_URL: originOf(ports.lineEmulator),
})

const originOf = (port: number): string => `http://localhost:${port}`

/** Builds both sites for the ports of a stack, each into a folder of its name in `folder`, which is returned. */
export async function buildSites(folder: string, ports: Ports): Promise<string> {
  await Promise.all(
    Object.entries(SITES).map(async ([site, sources]) => {
      const flags = ['--outDir', join(folder, site), '--emptyOutDir', '--logLevel', 'warn']
      const building = spawnNode([vite, 'build', sources, ...flags], variablesOf(ports, true))
      const said = listenTo(building)
      const [code] = await once(building, 'exit')
      if (code !== 0) throw new Error(`The build of the ${site} failed:\n${said()}`)
    }),
  )
  return folder
}

/** Copies builds for the ports of another stack: nothing differs but the addresses in them. Returns the new folder. */
export function copySites(from: string, ports: Ports, folder: string, others: Ports): string {
  cpSync(from, folder, { recursive: true })
  const origins = new Map(PORTS_IN_SITES.map(name => [originOf(ports[name]), originOf(others[name])]))
  for (const name of globSync('**/*.{html,js}', { cwd: folder })) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(/http:\/\/localhost:\d+/g, found => origins.get(found) ?? found),
    )
  }
  return folder
}
