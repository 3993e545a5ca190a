// Vitest's global setup for tests with Firebase's Auth emulator: one for all, as its start takes ten seconds of a processor.
import { startAuthEmulator } from 'local/auth-emulator.ts'
import { waitFor } from 'local/os-process.ts'
import { findFreePort } from 'local/ports.ts'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** "host:port" of the Auth emulator, which may still be starting. Test files share it: each needs addresses of its own. */
    authEmulator: string
  }
}

const READY_MS = 180_000

/** Other tests run while the emulator starts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emulator = await startAuthEmulator({ port: await findFreePort() })
  emulator.ready.catch((error: Error) => console.error(error.message))
  project.provide('authEmulator', emulator.host)
  return emulator.stop
}

/** The emulator's "host:port", once it answers. */
export async function findAuthEmulator(): Promise<string> {
  const host = inject('authEmulator')
  const answers = () =>
    fetch(`http://${host}/`)
      .then(({ ok }) => ok)
      .catch(() => false)
  if (!(await waitFor(answers, READY_MS))) throw new Error(`The Auth emulator does not answer at ${host}`)
  return host
}
