import { readWatcher } from '../watcher/variables.ts'
import { watch } from '../watcher/watching.ts'

// The program that watches a shop from another machine: `node watcher.js`. It needs nothing beside this file.
const settings = readWatcher(process.env)
if ('flaws' in settings) {
  console.error(`The watcher can't start:\n${settings.flaws.map(flaw => `  ${flaw}`).join('\n')}`)
  process.exit(1)
}
const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
await watch(settings, stopping.signal)
