import { type AddressInfo, connect, type Server, type Socket } from 'node:net'

export interface Listening {
  port: number
  /** `http://127.0.0.1:port`. */
  origin: string
  /** Resolves when the port is free again. */
  stop(): Promise<void>
}

/** Lets a server listen on this machine alone; port 0 takes any. Rejects with the system's error when the port is taken. */
export async function listen(server: Server & { closeAllConnections?(): void }, port: number): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const taken = (server.address() as AddressInfo).port
  return {
    port: taken,
    origin: `http://127.0.0.1:${taken}`,
    stop() {
      // Open connections would keep an HTTP server from closing for as long as their other ends like.
      server.closeAllConnections?.()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

/** Passes a connection on to a port of this machine; when one end breaks, so does the other. */
export function passOn(near: Socket, port: number): void {
  const far = connect(port, '127.0.0.1')
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}
