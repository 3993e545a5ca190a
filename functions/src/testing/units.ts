import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from 'local/os-process.ts'

/** What `systemctl` does for the scripts of deploy/, with the commands of the units in deploy/systemd. */
export interface Units {
  /** Before all else in PATH: the folder of the stand-in. */
  bin: string
  /** The names of the units that run. */
  running: () => string[]
  stop: () => Promise<void>
}

const FILES = { shop: 'shop@.service', caddy: 'caddy.service.d/shop.conf' }

/** The last value of a key in a unit's file, as for the instance `at`, with `home` in the place of /srv/shop. */
function valueIn(kind: keyof typeof FILES, key: string, home: string, at = ''): string {
  const text = readFileSync(join(projectRoot, 'deploy/systemd', FILES[kind]), 'utf8')
  const value = [...text.matchAll(new RegExp(`^${key}=(.+)$`, 'gm'))].at(-1)![1]!
  return value.replaceAll('%i', at).replaceAll('/srv/shop', home)
}

/** @param environments what the units' files of variables hold */
export async function standInForSystemd(
  home: string,
  environments: Record<keyof typeof FILES, Record<string, string>>,
): Promise<Units> {
  const children = new Map<string, ChildProcess>()

  function start(name: string, command: string, cwd: string, env: Record<string, string>): void {
    const child = spawn('sh', ['-c', `exec ${command}`], {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    child.once('exit', () => children.delete(name))
    children.set(name, child)
  }
  async function stop(name: string): Promise<void> {
    const child = children.get(name)
    if (!child) return
    const gone = once(child, 'close')
    child.kill('SIGTERM')
    await gone
  }
  async function obey(words: string): Promise<void> {
    const name = words.split(' ').at(-1)!
    const port = name.split('@')[1]
    if (words === 'reload-or-restart caddy') {
      const isUp = children.has('caddy')
      const command = valueIn('caddy', isUp ? 'ExecReload' : 'ExecStart', home)
      if (!isUp) return start('caddy', command, home, environments.caddy)
      await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...environments.caddy } })
    } else if (/^(stop|disable --now) shop@/.test(words)) await stop(name)
    else if (words.startsWith('start shop@')) {
      const cwd = valueIn('shop', 'WorkingDirectory', home, port)
      start(name, valueIn('shop', 'ExecStart', home, port), cwd, { ...environments.shop, PORT: port! })
    } else if (!words.startsWith('enable shop@')) throw new Error(`systemctl ${words}`)
  }

  const server = createServer(async (request, response) => {
    const words = Buffer.concat(await request.toArray()).toString()
    const flaw = await obey(words).then(() => null, String)
    response.writeHead(flaw ? 500 : 200).end(flaw)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\nexec curl -sS --fail-with-body -d "$*" ${url}\n`, { mode: 0o755 })
  return {
    bin,
    running: () => [...children.keys()].sort(),
    async stop() {
      for (const name of children.keys()) await stop(name)
      server.close()
    },
  }
}
