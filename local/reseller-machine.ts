import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Listening, listen } from './listen.ts'

/** A delivery as it arrived. */
export interface Delivery {
  at: string
  path: string
  /** Those whose names begin with `webhook-`. */
  headers: Record<string, string>
  body: string
}

export interface RunningMachine extends Listening {
  /** The newest first. */
  deliveries: Delivery[]
  /** What it answers. */
  status: number
  /** The configuration with which the shop's server tells it of events. */
  environment: Record<string, string>
}

const MOST_KEPT = 200

const escaped = (plain: string): string => plain.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)

const page = (deliveries: readonly Delivery[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A reseller's machine</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;background:#f3f5f7;padding:.75rem}</style>
<h1>A reseller's machine</h1>
<p>Any path here takes events. Its status code: <code>POST /status/500</code> makes it refuse them.</p>
${deliveries.map(({ at, path, headers, body }) => `<h2>${at} ${escaped(path)}</h2><pre>${escaped(`${JSON.stringify(headers, null, 2)}\n\n${body}`)}</pre>`).join('\n') || '<p>Nothing has arrived.</p>'}
</html>`

/** Stands in for the machine of a reseller that is told of events; its page shows what arrived. */
export async function startResellerMachine(options: { port: number }): Promise<RunningMachine> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const status = request.method === 'POST' ? /^\/status\/(\d{3})$/.exec(path)?.[1] : undefined
    if (status) {
      machine.status = Number(status)
      return void response.writeHead(204).end()
    }
    if (request.method === 'POST') {
      const told = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'))
      const delivery = {
        at: new Date().toISOString(),
        path,
        headers: Object.fromEntries(told),
        body: await text(request),
      }
      machine.deliveries.unshift(delivery as Delivery)
      machine.deliveries.length = Math.min(machine.deliveries.length, MOST_KEPT)
      return void response.writeHead(machine.status).end()
    }
    const isJson = path === '/deliveries'
    response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8' })
    response.end(isJson ? JSON.stringify(machine.deliveries) : page(machine.deliveries))
  })
  const listening = await listen(server, options.port)
  const environment = { WEBHOOK_LOCAL_ORIGIN: listening.origin }
  const machine: RunningMachine = { ...listening, deliveries: [], status: 204, environment }
  return machine
}
