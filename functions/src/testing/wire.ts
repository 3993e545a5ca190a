import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way to a database, which can go wrong as networks do: without a word. */
export interface Wire {
  /** The same database through it. */
  url: string
  /** The connections that are open now carry nothing any more, and nobody is told; new ones work. */
  dropLiving(): void
  /** Nothing is carried, and new connections are accepted, as by a machine whose processes stand still. */
  freeze(): void
  thaw(): void
  /** The next statement on each connection that is open now ends it with a reset. */
  resetNext(): void
  /** From now on it leads to another server; the connections that are open now end. */
  leadTo(databaseUrl: string): void
  close(): Promise<void>
}

interface Line {
  ends: [Socket, Socket]
  isDropped: boolean
  isToReset: boolean
}

/** Without `near`, any port of 127.0.0.1 is its near end. */
export async function openWire(databaseUrl: string, near = { host: '127.0.0.1', port: 0 }): Promise<Wire> {
  let target = new URL(databaseUrl)
  const lines = new Set<Line>()
  let isFrozen = false
  const held: (() => void)[] = []
  const carry = (line: Line, to: Socket, chunk: Buffer): void => {
    if (line.isDropped) return
    if (line.isToReset) for (const end of line.ends) end.resetAndDestroy()
    else if (isFrozen) held.push(() => to.write(chunk))
    else to.write(chunk)
  }
  const server = createServer(near => {
    const far = connect(Number(target.port), target.hostname)
    const line: Line = { ends: [near, far], isDropped: false, isToReset: false }
    lines.add(line)
    near.on('data', chunk => carry(line, far, chunk))
    far.on('data', chunk => carry(line, near, chunk))
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      end.on('error', () => {})
      end.on('close', () => {
        lines.delete(line)
        // A connection that is dropped does not even tell that it has ended.
        if (!line.isDropped) other.destroy()
      })
    }
  })
  const endAll = () => {
    for (const { ends } of lines) for (const end of ends) end.destroy()
  }
  server.listen(near.port, near.host)
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `${near.host}:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    dropLiving() {
      for (const line of lines) line.isDropped = true
    },
    freeze() {
      isFrozen = true
    },
    thaw() {
      isFrozen = false
      for (const send of held.splice(0)) send()
    },
    resetNext() {
      for (const line of lines) line.isToReset = true
    },
    leadTo(another) {
      target = new URL(another)
      endAll()
    },
    async close() {
      endAll()
      server.close()
    },
  }
}
