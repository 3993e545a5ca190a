// Somebody else's page, which calls the shop's functions by name with Firebase's own client as it is published.
import { join } from 'node:path'
import { build } from 'esbuild'
import { projectRoot } from '../os-process.ts'
import { type Cloud, project } from './cloud.ts'
import type { Walker } from './walk.ts'

const PAGE = 'partner.example'

const script = `
  import { initializeApp } from 'firebase/app'
  import { getAuth, signInWithEmailAndPassword } from 'firebase/auth'
  import { getFunctions, httpsCallable } from 'firebase/functions'
  const { projectId, apiKey, region } = ${JSON.stringify(project)}
  const app = initializeApp({ projectId, apiKey, authDomain: projectId + '.firebaseapp.com' })
  globalThis.callByName = async ({ email, password }, name, data) => {
    await signInWithEmailAndPassword(getAuth(app), email, password)
    return (await httpsCallable(getFunctions(app, region), name)(data)).data
  }`

interface Caller {
  email: string
  password: string
}

/** Puts the page online; called before anybody looks for its name. */
export async function publishPartner({ internet }: Cloud): Promise<void> {
  const stdin = { contents: script, resolveDir: join(projectRoot, 'web') }
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife', logLevel: 'error' })
  const page = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Partner</title><script>${outputFiles[0]!.text.replaceAll('</script', '<\\/script')}</script>`
  internet.answer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page), PAGE)
}

/** Signs in on the page and calls the function; resolves with its answer. */
export async function callByName(walker: Walker, caller: Caller, name: string, data: object): Promise<unknown> {
  const page = await walker.open()
  await page.goto(`https://${PAGE}/`)
  type Call = (caller: Caller, name: string, data: object) => Promise<unknown>
  return page.evaluate(
    ([who, what, about]) => (globalThis as unknown as { callByName: Call }).callByName(who, what, about),
    [caller, name, data] as const,
  )
}
